import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { waitsWords } from '../../shared/deliveries/waits-words';
import { Health } from '../../shared/destinations/health';
import { waitsOf } from '../../shared/destinations/waits-of';
import { useStats } from './use-destination';

/** Why deliveries of a destination are pending, as far as it is the same for all; each says the rest on its page. */
export function WhyPending({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const stats = useStats(destination.id, true).data;
  if (stats === undefined || stats.pending === 0) return null;
  const waitsFor = waitsOf(stats.health);
  if (waitsFor !== undefined) {
    return (
      <Alert variant="outline" color="yellow" title="What is pending waits">
        <Stack gap="xs">
          <Health health={stats.health} />
          <Text size="sm">{waitsWords(waitsFor)}</Text>
        </Stack>
      </Alert>
    );
  }
  return destination.order !== null && <Text size="sm">{IN_ORDER}</Text>;
}

const IN_ORDER =
  'The destination has an order: of each person only the earliest pending delivery is sent, and the others wait for it to end.';
