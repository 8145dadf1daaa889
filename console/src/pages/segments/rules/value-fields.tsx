import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSegments } from '../../../api/all-of';
import type { RuleDraft, ValueDraft } from './rule-draft';
import { arityOf, VALUE_WORDS, type ValueKind, valueKindsOf } from './rule-language';

interface ValueFieldsProps {
  readonly rule: RuleDraft;
  readonly onChange: (values: readonly ValueDraft[]) => void;
}

/** What a rule compares with: nothing, a value or a list of them. */
export function ValueFields({ rule, onChange }: ValueFieldsProps): ReactNode {
  const { values, kind, operator } = rule;
  if (kind === 'segments') return <SegmentField value={values[0]} onChange={(value) => onChange([value])} />;
  const isList = arityOf(operator) === 'many';
  const kinds = valueKindsOf(kind, operator);
  return (
    <>
      {values.map((value, index) => (
        <ValueField
          // A value has no name: its place is what it is known by.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          label={isList ? `Value ${index + 1}` : 'Value'}
          hint={HINTS[kind]}
          kinds={kinds}
          value={value}
          onChange={(changed) => onChange(values.with(index, changed))}
          onRemove={isList && values.length > 1 ? () => onChange(values.toSpliced(index, 1)) : undefined}
        />
      ))}
      {isList && (
        <Button variant="default" onClick={() => onChange([...values, { ...emptyValue(kinds) }])}>
          Add a value
        </Button>
      )}
    </>
  );
}

const HINTS: Readonly<Partial<Record<RuleDraft['kind'], string>>> = {
  first_seen: '30d, 12h or 2w ago, or 2026-01-31',
  last_seen: '30d, 12h or 2w ago, or 2026-01-31',
  groups: 'id of a group',
};

function emptyValue(kinds: readonly ValueKind[]): ValueDraft {
  return { kind: kinds[0] ?? 'text', text: '' };
}

interface ValueFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly kinds: readonly ValueKind[];
  readonly value: ValueDraft;
  readonly onChange: (value: ValueDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function ValueField({ label, hint, kinds, value, onChange, onRemove }: ValueFieldProps): ReactNode {
  return (
    <Group gap={4} align="flex-end">
      {kinds.length > 1 && (
        <NativeSelect
          label={`${label} is`}
          data={kinds.map((kind) => ({ value: kind, label: VALUE_WORDS[kind] }))}
          value={value.kind}
          onChange={({ currentTarget }) => onChange(asKind(value, currentTarget.value as ValueKind))}
        />
      )}
      <TypedField label={label} hint={hint} value={value} onChange={onChange} />
      {onRemove !== undefined && (
        <Button variant="default" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
          ×
        </Button>
      )}
    </Group>
  );
}

function asKind({ text }: ValueDraft, kind: ValueKind): ValueDraft {
  return { kind, text: kind === 'boolean' ? 'true' : text };
}

type TypedFieldProps = Pick<ValueFieldProps, 'label' | 'hint' | 'value' | 'onChange'>;

function TypedField({ label, hint, value, onChange }: TypedFieldProps): ReactNode {
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
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          label={label}
          placeholder={hint ?? PLACEHOLDERS[value.kind]}
          inputMode={value.kind === 'number' ? 'decimal' : undefined}
          value={value.text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      );
  }
}

const PLACEHOLDERS = { text: 'pro, 2026-01-31', number: '3', json: '["pro", 5]' };

interface SegmentFieldProps {
  readonly value: ValueDraft | undefined;
  readonly onChange: (value: ValueDraft) => void;
}

function SegmentField({ value, onChange }: SegmentFieldProps): ReactNode {
  const segments = useSegments().data ?? [];
  const chosen = value?.text ?? '';
  // One that is not among them is shown by its id, so that it is not changed by being looked at.
  const known = chosen === '' || segments.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      label="Value"
      data={[
        { value: '', label: 'Choose a segment' },
        ...segments.map(({ id, name }) => ({ value: id, label: name })),
        ...(known ? [] : [chosen]),
      ]}
      value={chosen}
      onChange={({ currentTarget }) => onChange({ kind: 'text', text: currentTarget.value })}
    />
  );
}
