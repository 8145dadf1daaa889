import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import { type Column, DataTable } from '../../shared/data-table';
import { ProblemAlert } from '../../shared/problem-alert';
import { readObject } from '../../shared/read-object';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';

const EXAMPLE = '{"types": ["track"], "events": ["Order *"]}';

interface FilterFieldProps {
  /** Of the destination. */
  readonly id: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Which events a destination gets, to be tried on the newest ones before it is saved. */
export function FilterField({ id, text, onChange }: FilterFieldProps): ReactNode {
  const wanted = readObject(text);
  const preview = useMutation({
    mutationFn: (filter: Record<string, unknown> | null) =>
      bodyOf(api.POST('/destinations/{id}/filter/preview', { params: { path: { id } }, body: { filter } })),
  });
  return (
    <Stack align="flex-start">
      <CodeTextarea
        label="Filter as JSON"
        description="types, events, conditions, match and segments; nothing lets everything pass."
        placeholder={EXAMPLE}
        value={text}
        onChange={(written) => {
          // What was tried is another filter.
          preview.reset();
          onChange(written);
        }}
        error={wanted === 'no_object' && 'This is no JSON object.'}
      />
      <Button
        variant="default"
        disabled={wanted === 'no_object'}
        loading={preview.isPending}
        onClick={() => wanted !== 'no_object' && preview.mutate(wanted)}
      >
        Try it on the newest events
      </Button>
      {preview.isError && <ProblemAlert error={preview.error} />}
      {preview.isSuccess && <Previewed preview={preview.data} />}
    </Stack>
  );
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
