import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { StatusBadge, type Tone } from '../../shared/status-badge';
import { duration, milliseconds } from './duration';
import type { Span } from './use-stats';

/** Each has a request of its own for its health. */
const MAX_ROWS = 30;
const LOOK_EVERY_MS = 10_000;

interface Row {
  readonly destination: Dto['DestinationDto'];
  readonly stats: Dto['DestinationStatsDto'] | undefined;
}

/** How deliveries to each destination are doing. */
export function DestinationsHealth({ span }: { readonly span: Span }): ReactNode {
  const destinations = useQuery({
    queryKey: ['destinations', 'overview'],
    queryFn: () => bodyOf(api.GET('/destinations', { params: { query: { limit: MAX_ROWS } } })),
  });
  const stats = useQueries({
    queries: (destinations.data ?? []).map(({ id }) => ({
      queryKey: ['destination-stats', id],
      queryFn: () => bodyOf(api.GET('/destinations/{id}/stats', { params: { path: { id } } })),
      refetchInterval: LOOK_EVERY_MS,
    })),
  });
  return (
    <Answered query={destinations}>
      {(known) => (
        <DataTable
          label="Destinations"
          columns={columnsOf(span)}
          rows={known.map((destination, index) => ({ destination, stats: stats[index]?.data }))}
          rowKey={({ destination }) => destination.id}
          empty="No destination yet: events come in and stay here."
        />
      )}
    </Answered>
  );
}

function columnsOf(span: Span): readonly Column<Row>[] {
  const ofSpan = ({ stats }: Row): Dto['DeliveryStatsDto'] | undefined =>
    span === 'hour' ? stats?.lastHour : stats?.lastDay;
  return [
    { title: 'Destination', cell: ({ destination }) => destination.name },
    { title: 'Health', cell: ({ stats }) => stats && <Health health={stats.health} /> },
    { title: 'Delivered', cell: (row) => ofSpan(row)?.delivered.toLocaleString(), align: 'right' },
    { title: 'Half within', cell: (row) => milliseconds(ofSpan(row)?.latency.p50Ms ?? null), align: 'right' },
    { title: '99 % within', cell: (row) => milliseconds(ofSpan(row)?.latency.p99Ms ?? null), align: 'right' },
    { title: 'Waiting', cell: ({ stats }) => stats?.pending.toLocaleString(), align: 'right' },
    { title: 'Oldest', cell: ({ stats }) => oldestOf(stats), align: 'right' },
    { title: 'Dead letters', cell: ({ stats }) => stats?.deadLetters.toLocaleString(), align: 'right' },
  ];
}

function oldestOf(stats: Dto['DestinationStatsDto'] | undefined): string {
  const seconds = stats?.oldestPendingSeconds ?? null;
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
