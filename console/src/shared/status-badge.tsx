import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warning' | 'neutral';

const COLORS: Readonly<Record<Tone, string>> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  neutral: 'gray',
};

interface StatusBadgeProps {
  readonly tone: Tone;
  /** The state in a word, see `states.ts`: a colour alone says nothing to many. */
  readonly children: string;
}

/** Never cut off, however narrow the column of a table or a phone is. */
const WRAPPED = {
  root: { overflow: 'visible' },
  label: { overflow: 'visible', whiteSpace: 'normal' },
} as const;

/** A state, as a word with a coloured dot. */
export function StatusBadge({ tone, children }: StatusBadgeProps): ReactNode {
  return (
    <Badge variant="dot" color={COLORS[tone]} tt="none" h="auto" styles={WRAPPED}>
      {children}
    </Badge>
  );
}
