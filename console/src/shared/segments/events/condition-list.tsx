import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt } from '../../field-problems';
import { INNER_LABELS, PARTS } from '../field-labels';
import { OperatorField } from '../values/operator-field';
import { adaptTest } from '../values/test-draft';
import { ValueFields } from '../values/value-fields';
import type { Compared } from '../values/value-language';
import { type ConditionDraft, newCondition } from './event-test-draft';
import { PathField } from './path-field';

const BORDER = '2px solid var(--mantine-color-default-border)';

/** What a condition can look at beside what is in the event. */
export interface OtherFields {
  readonly names: readonly string[];
  /** What is compared where a condition looks at a field; of what is in events it may be anything. */
  readonly comparedOf: (field: string) => Compared;
}

interface ConditionListProps {
  readonly conditions: readonly ConditionDraft[];
  readonly atMost: number;
  /** The name of the events that they look at, to suggest what is in them; empty where there is not one. */
  readonly event: string;
  readonly others?: OtherFields;
  /** Where the list stands: `rules[0].where`. */
  readonly path: string;
  readonly onChange: (conditions: readonly ConditionDraft[]) => void;
}

/** Conditions on an event, each to be changed and removed, and a button for one more. */
export function ConditionList({
  conditions,
  atMost,
  path,
  onChange,
  ...about
}: ConditionListProps): ReactNode {
  return (
    <Stack gap="xs" align="flex-start">
      {conditions.map((condition, index) => (
        <ConditionFields
          {...about}
          key={condition.key}
          name={PARTS.where(index)}
          condition={condition}
          path={`${path}[${index}]`}
          onChange={(changed) => onChange(conditions.with(index, changed))}
          onRemove={() => onChange(conditions.toSpliced(index, 1))}
        />
      ))}
      {conditions.length < atMost && (
        <Button size="compact-sm" variant="default" onClick={() => onChange([...conditions, newCondition()])}>
          Add a condition
        </Button>
      )}
    </Stack>
  );
}

interface ConditionFieldsProps extends Pick<ConditionListProps, 'event' | 'others'> {
  readonly name: string;
  readonly condition: ConditionDraft;
  readonly path: string;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly onRemove: () => void;
}

function ConditionFields({
  name,
  condition,
  event,
  others,
  path,
  onChange,
  onRemove,
}: ConditionFieldsProps): ReactNode {
  const { field, operator } = condition;
  const comparedOf = others?.comparedOf ?? ((): Compared => 'anything');
  const change = (changes: Partial<ConditionDraft>): void => {
    const changed = { ...condition, ...changes };
    onChange({ ...changed, ...adaptTest(changed, comparedOf(changed.field)) });
  };
  return (
    <Group role="group" aria-label={name} align="flex-start" gap="xs" pl="sm" style={{ borderLeft: BORDER }}>
      <PathField
        label={INNER_LABELS.field}
        event={event}
        more={others?.names}
        value={field}
        path={memberAt(path, 'field')}
        onChange={(text) => change({ field: text })}
      />
      <OperatorField
        field={field}
        operator={operator}
        compared={comparedOf(field)}
        path={path}
        onChange={(chosen) => change({ operator: chosen })}
      />
      <ValueFields
        test={condition}
        compared={comparedOf(field)}
        path={path}
        onChange={(values) => change({ values })}
      />
      <Button
        variant="default"
        style={{ alignSelf: 'flex-end' }}
        aria-label={`Remove ${name.toLowerCase()}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </Group>
  );
}
