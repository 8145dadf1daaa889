import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { counted } from '../../shared/counted';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { Health } from '../../shared/destinations/health';
import { duration, milliseconds } from '../../shared/duration';
import { To } from '../../shared/to';
import { FirstOnly } from './first-only';
import type { Span } from './use-stats';

const MAX_ROWS = 30;
const LOOK_EVERY_MS = 10_000;

type Row = Dto['ListedStatsDto'];

/** How deliveries to each destination are doing. */
export function DestinationsHealth({ span }: { readonly span: Span }): ReactNode {
  const destinations = useQuery({
    queryKey: ['destinations', 'overview', span],
    queryFn: () => pageOf(api.GET('/destinations/stats', { params: { query: { limit: MAX_ROWS, span } } })),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Answered query={destinations}>
      {({ rows, nextCursor }) => (
        <>
          <DataTable
            label="Destinations"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            empty="No destination yet: events come in and stay here."
          />
          {nextCursor !== undefined && <FirstOnly count={MAX_ROWS} all="/destinations" />}
        </>
      )}
    </Answered>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Destination',
    breaks: true,
    cell: ({ id, name }) => <To href={`/destinations/${id}`}>{name}</To>,
  },
  { title: 'Health', cell: ({ health }) => <Health health={health} /> },
  { title: 'Delivered', cell: ({ tries }) => tries.delivered.toLocaleString(), align: 'right' },
  { title: 'p50', cell: ({ tries }) => milliseconds(tries.latency.p50Ms), align: 'right' },
  { title: 'p99', cell: ({ tries }) => milliseconds(tries.latency.p99Ms), align: 'right' },
  {
    title: 'Pending',
    cell: ({ id, pending, countedUpTo }) => (
      <To href={`/destinations/${id}/deliveries?state=pending`}>{counted(pending, countedUpTo)}</To>
    ),
    align: 'right',
  },
  { title: 'Oldest', cell: ({ oldestPendingSeconds }) => oldestOf(oldestPendingSeconds), align: 'right' },
  {
    title: 'Dead letters',
    cell: ({ id, deadLetters, countedUpTo }) => (
      <To href={`/destinations/${id}/dead-letters`}>{counted(deadLetters, countedUpTo)}</To>
    ),
    align: 'right',
  },
];

function oldestOf(seconds: number | null): string {
  return seconds === null ? '–' : duration(seconds);
}
