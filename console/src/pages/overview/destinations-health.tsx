import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { StatusBadge, type Tone } from '../../shared/status-badge';
import { duration, milliseconds } from './duration';
import type { Span } from './use-stats';

const MAX_ROWS = 30;
const LOOK_EVERY_MS = 10_000;
/** The API counts no further. */
const MAX_COUNT = 1_000;

type Row = Dto['ListedStatsDto'];

/** How deliveries to each destination are doing. */
export function DestinationsHealth({ span }: { readonly span: Span }): ReactNode {
  const destinations = useQuery({
    queryKey: ['destinations', 'overview', span],
    queryFn: () => bodyOf(api.GET('/destinations/stats', { params: { query: { limit: MAX_ROWS, span } } })),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Answered query={destinations}>
      {(rows) => (
        <DataTable
          label="Destinations"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          empty="No destination yet: events come in and stay here."
        />
      )}
    </Answered>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Destination', cell: ({ name }) => name },
  { title: 'Health', cell: ({ health }) => <Health health={health} /> },
  { title: 'Delivered', cell: ({ tries }) => tries.delivered.toLocaleString(), align: 'right' },
  { title: 'Half within', cell: ({ tries }) => milliseconds(tries.latency.p50Ms), align: 'right' },
  { title: '99 % within', cell: ({ tries }) => milliseconds(tries.latency.p99Ms), align: 'right' },
  { title: 'Waiting', cell: ({ pending }) => counted(pending), align: 'right' },
  { title: 'Oldest', cell: ({ oldestPendingSeconds }) => oldestOf(oldestPendingSeconds), align: 'right' },
  { title: 'Dead letters', cell: ({ deadLetters }) => counted(deadLetters), align: 'right' },
];

function counted(count: number): string {
  return count < MAX_COUNT ? String(count) : `${MAX_COUNT.toLocaleString()} or more`;
}

function oldestOf(seconds: number | null): string {
  return seconds === null ? '–' : duration(seconds);
}

const TONES: Readonly<Record<Dto['DestinationHealthDto']['state'], Tone>> = {
  healthy: 'good',
  degraded: 'warning',
  paused: 'neutral',
  disabled: 'bad',
};

function Health({ health: { state, reason } }: { readonly health: Dto['DestinationHealthDto'] }): ReactNode {
  return <StatusBadge tone={TONES[state]}>{reason === null ? state : `${state}: ${reason}`}</StatusBadge>;
}
