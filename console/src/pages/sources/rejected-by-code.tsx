import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';

/** How many events of a source were not accepted, by what was wrong with them. */
export function RejectedByCode({ sourceId }: { readonly sourceId: string }): ReactNode {
  const counts = useQuery({
    queryKey: ['rejected-counts', sourceId],
    queryFn: () => bodyOf(api.GET('/rejected-events/counts', { params: { query: { sourceId } } })),
  });
  return (
    <Answered query={counts}>
      {(rows) => (
        <DataTable
          label="Rejected events by code"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ code, path }) => `${code} ${path}`}
          empty="None was rejected."
        />
      )}
    </Answered>
  );
}

const COLUMNS: readonly Column<Dto['RejectedCountDto']>[] = [
  { title: 'Code', cell: ({ code }) => <Code>{code}</Code> },
  { title: 'Member', cell: ({ path }) => (path === '' ? 'the whole event' : <Code>{path}</Code>) },
  { title: 'Events', cell: ({ count }) => count.toLocaleString(), align: 'right' },
];
