import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { ComputedPart } from '../../shared/segments/computed-part';
import { SEGMENT_STATES } from '../../shared/states';
import { StatusBadge } from '../../shared/status-badge';

type Segment = Dto['SegmentDto'];

/** Whether the members are those of the rules, and how far that is. */
export function Computing({ segment }: { readonly segment: Segment }): ReactNode {
  const { state, progress, failure } = segment;
  const { tone, word } = SEGMENT_STATES[state];
  return (
    <Group gap="sm">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      {state === 'computing' && <ComputedPart progress={progress} />}
      {failure !== null && <Text size="sm">{failure}</Text>}
    </Group>
  );
}
