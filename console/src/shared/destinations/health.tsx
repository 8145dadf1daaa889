import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { failureWords } from '../deliveries/failure-words';
import { DESTINATION_STATES } from '../states';
import { StatusBadge } from '../status-badge';
import { Time } from '../time';
import { waitsOf } from './waits-of';

type HealthDto = Dto['DestinationHealthDto'];

/** How a destination is doing, since when, and why. */
export function Health({ health }: { readonly health: HealthDto }): ReactNode {
  const { state, reason, since, nextProbeAt } = health;
  const { tone, word } = DESTINATION_STATES[shownState(health)];
  return (
    <Group gap="sm">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {reason !== null && <Text size="sm">{failureWords(reason)}</Text>}
      {since !== null && state !== 'healthy' && (
        <Text size="sm">
          since <Time at={since} />
        </Text>
      )}
      {nextProbeAt !== null && (
        <Text size="sm">
          next probe <Time at={nextProbeAt} />
        </Text>
      )}
    </Group>
  );
}

/** Of one that is degraded: whether some of its tries fail, or nothing gets there at all. */
function shownState(health: HealthDto): keyof typeof DESTINATION_STATES {
  const waitsFor = waitsOf(health);
  if (health.state !== 'degraded' || waitsFor === undefined) return health.state;
  return waitsFor === 'destination_down' ? 'down' : 'blocked';
}
