import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { duration, milliseconds } from '../../shared/duration';

const WHEN_SENT = 'when they were sent; what is released counts as accepted, too';

/** The numbers of a span, at a glance. */
export function Figures({ stats: { events, deliveries } }: { readonly stats: Dto['StatsDto'] }): ReactNode {
  const { p50Ms, p99Ms } = deliveries.latency;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} component="dl" my={0}>
      <Figure name="Events accepted" value={events.accepted} />
      <Figure name="Duplicates" value={events.duplicate} />
      <Figure name="Rejected" value={events.rejected} />
      <Figure name="Quarantined" value={events.quarantined} note={WHEN_SENT} />
      <Figure
        name="Inbox lag"
        value={events.inboxRows === 0 ? 'none' : duration(events.inboxOldestSeconds)}
      />
      <Figure name="Delivered" value={deliveries.delivered} />
      <Figure name="Failed, tried again" value={deliveries.failed} />
      <Figure name="Dead" value={deliveries.dead} />
      <Figure name="Latency, p50 / p99" value={`${milliseconds(p50Ms)} / ${milliseconds(p99Ms)}`} />
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number | string;
  /** What somebody might not expect of the number. */
  readonly note?: string;
}

function Figure({ name, value, note }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" fw={600} fz="lg" m={0}>
        {value.toLocaleString()}
      </Text>
      {note !== undefined && (
        <Text component="dd" size="xs" c="dimmed" m={0}>
          {note}
        </Text>
      )}
    </Paper>
  );
}
