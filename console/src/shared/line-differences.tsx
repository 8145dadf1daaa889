import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type DiffedLine, diffLines } from './diff-lines';
import classes from './line-differences.module.css';

const SIGNS: Readonly<Record<DiffedLine['kind'], string>> = { same: ' ', removed: '-', added: '+' };

interface LineDifferencesProps {
  readonly before: string;
  readonly after: string;
}

/** Two codes in one: what was removed with a minus before it, what was added with a plus. */
export function LineDifferences({ before, after }: LineDifferencesProps): ReactNode {
  if (before === after) return <Text size="sm">The code is the same.</Text>;
  return (
    <Code block tabIndex={0} role="region" aria-label="the differences" className={classes.lines}>
      {diffLines(before, after).map(({ kind, text }, index) => (
        <span key={index} className={classes[kind]}>{`${SIGNS[kind]} ${text}\n`}</span>
      ))}
    </Code>
  );
}
