import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '../../shared/data-table';
import { LongTable } from '../../shared/long-table';
import { type Difference, type PlanText, planDifferences } from './plan-differences';

/** More of a value is seen among the rules. */
const MAX_CHARACTERS = 300;
const FIRST_ROWS = 50;

interface DifferencesProps {
  readonly before: PlanText;
  readonly after: PlanText;
}

/** What changed from one version of a plan to another, member by member. */
export function Differences({ before, after }: DifferencesProps): ReactNode {
  return (
    <LongTable
      label="Differences"
      first={FIRST_ROWS}
      columns={[
        ...COLUMNS,
        { title: `Version ${before.version}`, cell: (one) => <Value value={one.before} /> },
        { title: `Version ${after.version}`, cell: (one) => <Value value={one.after} /> },
      ]}
      rows={planDifferences(before, after)}
      rowKey={({ rule, member, what }) => JSON.stringify([rule, member, what])}
      empty="They say the same."
    />
  );
}

const COLUMNS: readonly Column<Difference>[] = [
  { title: 'Rule', breaks: true, cell: ({ rule }) => rule ?? 'The plan' },
  { title: 'Member', cell: ({ member }) => member !== '' && <Code>{member}</Code> },
  { title: 'What', cell: ({ what }) => what },
];

function Value({ value }: { readonly value: unknown }): ReactNode {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <Code style={{ overflowWrap: 'anywhere' }}>
      {text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text}
    </Code>
  );
}
