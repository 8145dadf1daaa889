import type { ReactNode } from 'react';
import { memberAt } from '../../field-problems';
import { ConditionList } from './condition-list';
import { type ConditionDraft, type EventTestDraft, MAX_WHERE } from './event-test-draft';

interface WhereFieldsProps {
  readonly test: EventTestDraft;
  /** Where what has these conditions stands. */
  readonly path: string;
  readonly onChange: (where: readonly ConditionDraft[]) => void;
}

/** What must be true of an event that counts. */
export function WhereFields({ test: { event, where }, path, onChange }: WhereFieldsProps): ReactNode {
  return (
    <ConditionList
      conditions={where}
      atMost={MAX_WHERE}
      event={event}
      path={memberAt(path, 'where')}
      onChange={onChange}
    />
  );
}
