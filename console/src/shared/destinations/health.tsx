import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { failureWords } from '../deliveries/failure-words';
import { StatusBadge, type Tone } from '../status-badge';
import { Time } from '../time';

type HealthDto = Dto['DestinationHealthDto'];

interface Look {
  readonly tone: Tone;
  readonly word: string;
}

const STATES: Readonly<Record<HealthDto['state'], Look>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warning', word: 'Degraded' },
  paused: { tone: 'neutral', word: 'Paused' },
  disabled: { tone: 'bad', word: 'Disabled' },
};
const DOWN: Look = { tone: 'bad', word: 'Down' };
const BLOCKED: Look = { tone: 'bad', word: 'Blocked' };

/** How a destination is doing, since when, and why. */
export function Health({ health }: { readonly health: HealthDto }): ReactNode {
  const { state, reason, since, nextProbeAt } = health;
  const { tone, word } = lookOf(health);
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
          next try <Time at={nextProbeAt} />
        </Text>
      )}
    </Group>
  );
}

/** Of one that is degraded: whether some of its tries fail, or nothing gets there at all. */
function lookOf({ state, reason }: HealthDto): Look {
  if (state !== 'degraded' || reason === 'many_failures') return STATES[state];
  return reason === 'connector_not_installed' || reason === 'secrets_not_readable' ? BLOCKED : DOWN;
}
