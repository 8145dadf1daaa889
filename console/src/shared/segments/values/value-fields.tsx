import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { LABELS, PARTS } from '../field-labels';
import { type TestDraft, type ValueDraft, valueProblem } from './test-draft';
import { arityOf, type Compared, VALUE_WORDS, type ValueKind, valueKindsOf } from './value-language';

interface ValueFieldsProps {
  readonly test: TestDraft;
  readonly compared: Compared;
  /** Where the rule or condition stands. */
  readonly path: string;
  readonly onChange: (values: readonly ValueDraft[]) => void;
}

/** What something is compared with: nothing, a value or a list of them. */
export function ValueFields({ test, compared, path, onChange }: ValueFieldsProps): ReactNode {
  const { values, operator } = test;
  const isList = arityOf(operator) === 'many';
  const kinds = valueKindsOf(compared, operator);
  const problem = useProblemAt(memberAt(path, 'value'));
  return (
    <>
      {values.map((value, index) => (
        <ValueField
          // A value has no name: its place is what it is known by.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          label={isList ? PARTS.value(index) : LABELS.value}
          hint={HINTS[compared]}
          kinds={kinds}
          value={value}
          // Of a list it says in words which one is wrong.
          problem={valueProblem(value) ?? (index === 0 ? problem : undefined)}
          onChange={(changed) => onChange(values.with(index, changed))}
          onRemove={isList && values.length > 1 ? () => onChange(values.toSpliced(index, 1)) : undefined}
        />
      ))}
      {isList && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-end' }}
          onClick={() => onChange([...values, { kind: kinds[0] ?? 'text', text: '' }])}
        >
          Add a value
        </Button>
      )}
    </>
  );
}

const HINTS: Readonly<Partial<Record<Compared, string>>> = {
  time: '30d, 12h or 2w ago, or 2026-01-31',
  group: 'id of a group',
};

interface ValueFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly kinds: readonly ValueKind[];
  readonly value: ValueDraft;
  readonly problem: string | undefined;
  readonly onChange: (value: ValueDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function ValueField({ kinds, onRemove, ...field }: ValueFieldProps): ReactNode {
  const { label, value, onChange } = field;
  // One that does not go with what is compared is shown too, so that it is not changed by being looked at.
  const shown = kinds.includes(value.kind) ? kinds : [...kinds, value.kind];
  return (
    <Group gap={4} align="flex-start">
      {shown.length > 1 && (
        <NativeSelect
          label={`${label} is`}
          data={shown.map((kind) => ({ value: kind, label: VALUE_WORDS[kind] }))}
          value={value.kind}
          onChange={({ currentTarget }) => onChange(asKind(value, currentTarget.value as ValueKind))}
        />
      )}
      <TypedField {...field} />
      {onRemove !== undefined && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-end' }}
          aria-label={`Remove ${label.toLowerCase()}`}
          onClick={onRemove}
        >
          ×
        </Button>
      )}
    </Group>
  );
}

function asKind({ text }: ValueDraft, kind: ValueKind): ValueDraft {
  return { kind, text: kind === 'boolean' ? 'true' : text };
}

type TypedFieldProps = Omit<ValueFieldProps, 'kinds' | 'onRemove'>;

function TypedField({ label, hint, value, problem, onChange }: TypedFieldProps): ReactNode {
  const change = (text: string): void => onChange({ ...value, text });
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
      return (
        <NativeSelect
          label={label}
          data={[
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ]}
          value={value.text}
          error={problem}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          w={220}
          label={label}
          placeholder={hint ?? PLACEHOLDERS[value.kind]}
          inputMode={value.kind === 'number' ? 'decimal' : undefined}
          value={value.text}
          error={problem}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
  }
}

const PLACEHOLDERS = { text: 'pro, 2026-01-31', number: '3', json: '["pro", 5]' };
