import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { ComputedPart } from '../../shared/segments/computed-part';
import { StatusBadge, type Tone } from '../../shared/status-badge';

type Segment = Dto['SegmentDto'];

const STATES: Readonly<Record<Segment['state'], { readonly tone: Tone; readonly word: string }>> = {
  live: { tone: 'good', word: 'Live' },
  computing: { tone: 'warning', word: 'Computing' },
  failed: { tone: 'bad', word: 'Failed' },
};

/** Whether the members are those of the rules, and how far that is. */
export function Computing({ segment }: { readonly segment: Segment }): ReactNode {
  const { state, progress, failure } = segment;
  return (
    <Group gap="sm">
      <StatusBadge tone={STATES[state].tone}>{STATES[state].word}</StatusBadge>
      {state === 'computing' && <ComputedPart progress={progress} />}
      {failure !== null && <Text size="sm">{failure}</Text>}
    </Group>
  );
}
