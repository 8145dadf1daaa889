import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { counted } from '../../shared/counted';
import { type Column, DataTable } from '../../shared/data-table';
import { duration, milliseconds } from '../../shared/duration';
import { nounOf } from '../../shared/how-many';
import { To } from '../../shared/to';

interface StatsProps {
  readonly id: string;
  readonly stats: Dto['DestinationStatsDto'];
}

/** What is pending, what is dead, and what happened in the last hour and day. */
export function Stats({ id, stats }: StatsProps): ReactNode {
  const { pending, deadLetters, countedUpTo, oldestPendingSeconds, lastHour, lastDay } = stats;
  return (
    <>
      <Group gap="lg">
        <Text size="sm" component="div">
          <To href={`/destinations/${id}/deliveries?state=pending`}>
            {counted(pending, countedUpTo)} pending
          </To>
          {oldestPendingSeconds !== null && `, the oldest for ${duration(oldestPendingSeconds)}`}
        </Text>
        <Text size="sm" component="div">
          <To href={`/destinations/${id}/dead-letters`}>
            {counted(deadLetters, countedUpTo)} {nounOf(deadLetters, 'dead letter')}
          </To>
        </Text>
      </Group>
      <DataTable
        label="Tries"
        columns={COLUMNS}
        rows={[
          { time: 'Last hour', of: lastHour },
          { time: 'Last day', of: lastDay },
        ]}
        rowKey={({ time }) => time}
        empty=""
      />
    </>
  );
}

interface StatsRow {
  readonly time: string;
  readonly of: Dto['DeliveryStatsDto'];
}

const COLUMNS: readonly Column<StatsRow>[] = [
  { title: 'Tries', cell: ({ time }) => time },
  { title: 'Delivered', cell: ({ of }) => of.delivered.toLocaleString(), align: 'right' },
  { title: 'Failed', cell: ({ of }) => of.failed.toLocaleString(), align: 'right' },
  { title: 'Dead', cell: ({ of }) => of.dead.toLocaleString(), align: 'right' },
  {
    title: 'Success',
    cell: ({ of }) => of.successRate !== null && `${(of.successRate * 100).toFixed(1)} %`,
    align: 'right',
  },
  { title: 'p50', cell: ({ of }) => milliseconds(of.latency.p50Ms), align: 'right' },
  { title: 'p99', cell: ({ of }) => milliseconds(of.latency.p99Ms), align: 'right' },
];
