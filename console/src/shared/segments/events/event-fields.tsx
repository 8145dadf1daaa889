import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { EVENT_TYPES } from '../../event-types';
import { memberAt, useProblemAt } from '../../field-problems';
import { SuggestedText } from '../../suggested-text';
import { LABELS } from '../field-labels';
import type { EventTestDraft } from './event-test-draft';
import { useEventNames } from './known-events';

interface EventFieldsProps {
  readonly test: EventTestDraft;
  /** Whether they are of one name, or may be any. */
  readonly isNamed: boolean;
  /** Where what names the events stands. */
  readonly path: string;
  readonly onChange: (changes: Partial<EventTestDraft>) => void;
}

/** Which events: their name and type. */
export function EventFields({ test, isNamed, path, onChange }: EventFieldsProps): ReactNode {
  return (
    <>
      <SuggestedText
        label={LABELS.event}
        placeholder={isNamed ? 'Order Completed' : 'any'}
        required={isNamed}
        maxLength={1_000}
        value={test.event}
        suggestions={useEventNames()}
        error={useProblemAt(memberAt(path, 'event'))}
        onChange={(event) => onChange({ event })}
      />
      <NativeSelect
        label={LABELS.type}
        data={[{ value: '', label: 'any' }, ...EVENT_TYPES]}
        value={test.type}
        error={useProblemAt(memberAt(path, 'type'))}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
      />
    </>
  );
}
