import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../api/client';
import { Answered } from './answered';
import { type Column, DataTable } from './data-table';
import { eventProblemWords } from './event-problem-words';
import { SourceLink } from './source-link';
import { To } from './to';

const LOOK_EVERY_MS = 2_000;

/** How many events were not accepted in the last 24 hours, of one source or of all; the code leads to them. */
export function RejectedByCode({ sourceId }: { readonly sourceId?: string }): ReactNode {
  const counts = useQuery({
    queryKey: ['rejected-counts', sourceId],
    queryFn: () => bodyOf(api.GET('/rejected-events/counts', { params: { query: { sourceId } } })),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Answered query={counts}>
      {(rows) => (
        <DataTable
          label="Rejected events by code"
          columns={sourceId === undefined ? [SOURCE, ...COLUMNS] : COLUMNS}
          rows={rows}
          rowKey={(row) => `${row.sourceId} ${row.code} ${row.path}`}
          empty="None was rejected."
        />
      )}
    </Answered>
  );
}

const SOURCE: Column<Dto['RejectedCountDto']> = {
  title: 'Source',
  breaks: true,
  cell: ({ sourceId }) => <SourceLink id={sourceId} />,
};

const COLUMNS: readonly Column<Dto['RejectedCountDto']>[] = [
  {
    title: 'Code',
    cell: ({ code, sourceId }) => (
      <To href={`/events/rejected?${new URLSearchParams({ sourceId, code }).toString()}`}>{code}</To>
    ),
  },
  { title: 'What is wrong', cell: ({ code }) => eventProblemWords(code) },
  { title: 'Member', cell: ({ path }) => (path === '' ? 'the whole event' : <Code>{path}</Code>) },
  { title: 'Events', cell: ({ count }) => count.toLocaleString(), align: 'right' },
];
