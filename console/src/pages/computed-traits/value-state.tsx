import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { ComputedPart } from '../../shared/segments/computed-part';
import { VALUE_STATES } from '../../shared/states';
import { StatusBadge } from '../../shared/status-badge';

const WHY: Readonly<Record<Dto['ComputedTraitDto']['values'], string>> = {
  counted: 'Its values are counted whenever somebody asks.',
  computing: 'A destination needs its values: they are computed for everybody, and counted until then.',
  kept: 'A destination needs its values: they are kept up to date with each event.',
};

interface ValueStateProps {
  readonly trait: Pick<Dto['ComputedTraitDto'], 'values' | 'progress'>;
}

/** Whether values are counted or kept, and how far that is. */
export function ValueStateBadge({ trait: { values, progress } }: ValueStateProps): ReactNode {
  const { tone, word } = VALUE_STATES[values];
  return (
    <Group gap="sm">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {values === 'computing' && <ComputedPart progress={progress} />}
    </Group>
  );
}

/** The same, with why. */
export function ValueState({ trait }: ValueStateProps): ReactNode {
  return (
    <Group gap="sm">
      <ValueStateBadge trait={trait} />
      <Text size="sm">{WHY[trait.values]}</Text>
    </Group>
  );
}
