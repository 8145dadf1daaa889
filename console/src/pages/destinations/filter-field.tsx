import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import { type Column, DataTable } from '../../shared/data-table';
import { ProblemAlert } from '../../shared/problem-alert';
import { useProblemsIn } from '../../shared/field-problems';
import { type ReadObject, readObject } from '../../shared/read-object';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { LABELS } from './field-labels';

const EXAMPLE = '{"types": ["track"], "events": ["Order *"]}';

interface FilterFieldProps {
  /** Of the destination; what is none yet cannot be tried. */
  readonly id: string | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Which events a destination gets, to be tried on the newest ones before it is saved. */
export function FilterField({ id, text, onChange }: FilterFieldProps): ReactNode {
  const wanted = readObject(text);
  const problem = useProblemsIn('filter');
  return (
    <Stack align="flex-start">
      <CodeTextarea
        label={LABELS.filter}
        description="types, events, conditions (on the event, or computed.<name> of its person), match and segments; nothing lets everything pass."
        placeholder={EXAMPLE}
        value={text}
        onChange={onChange}
        error={wanted === 'no_object' ? 'This is no JSON object.' : problem}
      />
      {/* What was tried is another filter, when it is written on. */}
      {id !== undefined && <TryFilter key={text} id={id} filter={wanted} />}
    </Stack>
  );
}

interface TryFilterProps {
  readonly id: string;
  readonly filter: ReadObject;
}

function TryFilter({ id, filter }: TryFilterProps): ReactNode {
  const preview = useMutation({
    mutationFn: (wanted: Record<string, unknown> | null) =>
      bodyOf(
        api.POST('/destinations/{id}/filter/preview', { params: { path: { id } }, body: { filter: wanted } }),
      ),
  });
  return (
    <>
      <Button
        variant="default"
        disabled={filter === 'no_object'}
        loading={preview.isPending}
        onClick={() => filter !== 'no_object' && preview.mutate(filter)}
      >
        Try it on the newest events
      </Button>
      {preview.isError && <ProblemAlert error={preview.error} />}
      {preview.isSuccess && <Previewed preview={preview.data} />}
    </>
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
