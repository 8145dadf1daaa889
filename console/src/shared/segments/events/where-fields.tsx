import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { SuggestedText } from '../../suggested-text';
import { INNER_LABELS, PARTS } from '../field-labels';
import { OperatorField } from '../values/operator-field';
import { adaptTest } from '../values/test-draft';
import { ValueFields } from '../values/value-fields';
import { type ConditionDraft, type EventTestDraft, MAX_WHERE, newCondition } from './event-test-draft';
import { useEventPaths } from './known-events';

const BORDER = '2px solid var(--mantine-color-default-border)';

interface WhereFieldsProps {
  readonly test: EventTestDraft;
  /** Where what has these conditions stands. */
  readonly path: string;
  readonly onChange: (where: readonly ConditionDraft[]) => void;
}

/** What must be true of an event that counts. */
export function WhereFields({ test: { event, where }, path, onChange }: WhereFieldsProps): ReactNode {
  const add = (): void => onChange([...where, newCondition()]);
  return (
    <Stack gap="xs" align="flex-start">
      {where.map((condition, index) => (
        <ConditionFields
          key={condition.key}
          name={PARTS.where(index)}
          condition={condition}
          event={event}
          path={memberAt(path, `where[${index}]`)}
          onChange={(changed) => onChange(where.with(index, changed))}
          onRemove={() => onChange(where.toSpliced(index, 1))}
        />
      ))}
      {where.length < MAX_WHERE && (
        <Button size="compact-sm" variant="default" onClick={add}>
          Add a condition
        </Button>
      )}
    </Stack>
  );
}

interface ConditionFieldsProps {
  readonly name: string;
  readonly condition: ConditionDraft;
  readonly event: string;
  readonly path: string;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly onRemove: () => void;
}

function ConditionFields({
  name,
  condition,
  event,
  path,
  onChange,
  onRemove,
}: ConditionFieldsProps): ReactNode {
  const { field, operator } = condition;
  const change = (changes: Partial<ConditionDraft>): void => {
    const changed = { ...condition, ...changes };
    onChange({ ...changed, ...adaptTest(changed, 'anything') });
  };
  return (
    <Group role="group" aria-label={name} align="flex-start" gap="xs" pl="sm" style={{ borderLeft: BORDER }}>
      <PathField
        label={INNER_LABELS.field}
        event={event}
        value={field}
        path={memberAt(path, 'field')}
        onChange={(text) => change({ field: text })}
      />
      <OperatorField
        field={field}
        operator={operator}
        compared="anything"
        path={path}
        onChange={(chosen) => change({ operator: chosen })}
      />
      <ValueFields
        test={condition}
        compared="anything"
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

interface PathFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The name of the events whose paths are suggested. */
  readonly event: string;
  readonly value: string;
  readonly path: string;
  readonly onChange: (text: string) => void;
}

/** A dotted path into an event. */
export function PathField({ label, hint, event, value, path, onChange }: PathFieldProps): ReactNode {
  return (
    <SuggestedText
      label={label}
      description={hint}
      // Below, so that the fields of a line stand at one height.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder="properties.total"
      required
      maxLength={200}
      value={value}
      suggestions={useEventPaths(event)}
      error={useProblemAt(path)}
      onChange={onChange}
    />
  );
}
