import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { failureWords } from '../deliveries/failure-words';
import { StatusBadge, type Tone } from '../status-badge';
import { Time } from '../time';

type HealthDto = Dto['DestinationHealthDto'];

const STATES: Readonly<Record<HealthDto['state'], { readonly tone: Tone; readonly word: string }>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warning', word: 'Degraded' },
  paused: { tone: 'neutral', word: 'Paused' },
  disabled: { tone: 'bad', word: 'Disabled' },
};

/** How a destination is doing, since when, and why. */
export function Health({ health }: { readonly health: HealthDto }): ReactNode {
  const { state, reason, since, nextProbeAt } = health;
  return (
    <Group gap="sm">
      <StatusBadge tone={STATES[state].tone}>{STATES[state].word}</StatusBadge>
      {reason !== null && <Text size="sm">{failureWords(reason)}</Text>}
      {since !== null && (
        <Text size="sm">
          {state === 'healthy' ? 'enabled since' : 'since'} <Time at={since} />
        </Text>
      )}
      {nextProbeAt !== null && (
        <Text size="sm">
          next try <Time at={nextProbeAt} />
        </Text>
      )}
    </Group>
  );
}
