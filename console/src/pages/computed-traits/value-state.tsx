import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { ComputedPart } from '../../shared/segments/computed-part';
import { StatusBadge, type Tone } from '../../shared/status-badge';

type State = Dto['ComputedTraitDto']['values'];

const STATES: Readonly<Record<State, { readonly tone: Tone; readonly word: string; readonly why: string }>> =
  {
    counted: { tone: 'neutral', word: 'Counted', why: 'Its values are counted whenever somebody asks.' },
    computing: {
      tone: 'warning',
      word: 'Computing',
      why: 'A destination needs its values: they are computed for everybody, and counted until then.',
    },
    kept: {
      tone: 'good',
      word: 'Kept',
      why: 'A destination needs its values: they are kept up to date with each event.',
    },
  };

interface ValueStateProps {
  readonly trait: Pick<Dto['ComputedTraitDto'], 'values' | 'progress'>;
}

/** Whether values are counted or kept, and how far that is. */
export function ValueStateBadge({ trait: { values, progress } }: ValueStateProps): ReactNode {
  return (
    <Group gap="sm">
      <StatusBadge tone={STATES[values].tone}>{STATES[values].word}</StatusBadge>
      {values === 'computing' && <ComputedPart progress={progress} />}
    </Group>
  );
}

/** The same, with why. */
export function ValueState({ trait }: ValueStateProps): ReactNode {
  return (
    <Group gap="sm">
      <ValueStateBadge trait={trait} />
      <Text size="sm">{STATES[trait.values].why}</Text>
    </Group>
  );
}
