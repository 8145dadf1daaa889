import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { type Column, DataTable } from '../../shared/data-table';
import { ProblemAlert } from '../../shared/problem-alert';
import { Section } from '../../shared/section';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { useRefresh } from './use-destination';

const EXAMPLE = '{"types": ["track"], "events": ["Order *"]}';

/** Tries a filter on the newest events, and makes it the filter of the destination. */
export function FilterPreview({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { id, filter } = destination;
  const [text, setText] = useState(filter === null ? '' : JSON.stringify(filter, undefined, 2));
  const params = { path: { id } };
  const wanted = readFilter(text);
  const refresh = useRefresh();
  const preview = useMutation({
    mutationFn: (tried: Tried) =>
      bodyOf(api.POST('/destinations/{id}/filter/preview', { params, body: { filter: tried } })),
  });
  const save = useMutation({
    mutationFn: (tried: Tried) => bodyOf(api.PUT('/destinations/{id}', { params, body: { filter: tried } })),
    onSuccess: refresh,
  });
  return (
    <Section title="Filter">
      <Stack>
        <Textarea
          label="Filter as JSON"
          description="types, events, conditions, match and segments; nothing lets everything pass."
          placeholder={EXAMPLE}
          autosize
          minRows={3}
          maxRows={20}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={wanted === 'no_object' && 'This is no JSON object.'}
        />
        <Group gap="xs">
          <Button
            disabled={wanted === 'no_object'}
            loading={preview.isPending}
            onClick={() => wanted !== 'no_object' && preview.mutate(wanted)}
          >
            Try it on the newest events
          </Button>
          <Button
            variant="outline"
            disabled={wanted === 'no_object'}
            loading={save.isPending}
            onClick={() => wanted !== 'no_object' && save.mutate(wanted)}
          >
            Save the filter
          </Button>
        </Group>
        {preview.isError && <ProblemAlert error={preview.error} />}
        {save.isError && <ProblemAlert error={save.error} />}
        {preview.isSuccess && <Previewed preview={preview.data} />}
      </Stack>
    </Section>
  );
}

type Tried = Record<string, unknown> | null;

function readFilter(text: string): Tried | 'no_object' {
  if (text.trim() === '') return null;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && !Array.isArray(read)) return read as Tried;
  } catch {
    // It is still being written.
  }
  return 'no_object';
}

function Previewed({ preview }: { readonly preview: Dto['FilterPreviewDto'] }): ReactNode {
  const { considered, passed, events } = preview;
  return (
    <>
      <Text aria-live="polite">
        {passed} of the newest {considered} events would pass.
      </Text>
      <DataTable
        label="Previewed events"
        columns={COLUMNS}
        rows={events}
        rowKey={({ messageId, timestamp }) => `${messageId} ${timestamp}`}
        empty="There is no event yet."
      />
    </>
  );
}

const COLUMNS: readonly Column<Dto['PreviewedEventDto']>[] = [
  {
    title: 'Passes',
    cell: ({ passes }) => (
      <StatusBadge tone={passes ? 'good' : 'neutral'}>{passes ? 'Passes' : 'Does not'}</StatusBadge>
    ),
  },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'User id', cell: ({ userId }) => userId },
  { title: 'Happened', cell: ({ timestamp }) => <Time at={timestamp} /> },
];
