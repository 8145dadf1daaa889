import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { type TimeDraft, type TimeLimits, timeProblem, type TimeUnit, UNIT_WORDS } from './time-draft';

interface TimeFieldsProps {
  readonly label: string;
  /** What it means when nothing is written; without it something has to be. */
  readonly without?: string;
  readonly time: TimeDraft;
  readonly limits: TimeLimits;
  /** Where what has this time stands, and in which member. */
  readonly path: string;
  readonly member?: string;
  readonly onChange: (time: TimeDraft) => void;
}

/** So many days, hours or minutes. */
export function TimeFields({
  label,
  without,
  time,
  limits,
  path,
  member = 'within',
  onChange,
}: TimeFieldsProps): ReactNode {
  const problem = useProblemAt(memberAt(path, member));
  return (
    <Group align="flex-start" gap={4} wrap="nowrap">
      <TextInput
        label={label}
        placeholder={without ?? '30'}
        required={without === undefined}
        inputMode="numeric"
        maxLength={4}
        w={170}
        value={time.count}
        error={timeProblem(time, limits) ?? problem}
        onChange={({ currentTarget }) =>
          onChange({ ...time, count: currentTarget.value.replaceAll(/\D/g, '') })
        }
      />
      <NativeSelect
        label="Unit"
        data={(Object.keys(limits) as TimeUnit[]).map((unit) => ({ value: unit, label: UNIT_WORDS[unit] }))}
        value={time.unit}
        onChange={({ currentTarget }) => onChange({ ...time, unit: currentTarget.value as TimeUnit })}
      />
    </Group>
  );
}
