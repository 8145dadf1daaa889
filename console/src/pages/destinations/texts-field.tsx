import { Button, CloseButton, Group, PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { memberAt, useProblemAt } from '../../shared/field-problems';
import { MemberGroup } from './member-group';
import type { MemberFieldProps } from './schema-form';

interface Row {
  readonly key: number;
  readonly name: string;
  readonly text: string;
}

/** An object of texts by names that are chosen, such as headers: a row for each. */
export function TextsField({ label, description, path, value, onChange }: MemberFieldProps): ReactNode {
  const [rows, setRows] = useState(() => rowsOf(value));
  const change = (changed: readonly Row[]): void => {
    setRows(changed);
    const named = changed.filter(({ name }) => name !== '');
    onChange(
      named.length === 0 ? undefined : Object.fromEntries(named.map(({ name, text }) => [name, text])),
    );
  };
  const next = Math.max(0, ...rows.map(({ key }) => key)) + 1;
  return (
    <MemberGroup label={label} description={description} path={path} gap="xs">
      {rows.map((row, index) => (
        <RowFields
          key={row.key}
          row={row}
          path={memberAt(path, row.name)}
          label={`${label} ${index + 1}`}
          isTwice={rows.some(({ key, name }) => key !== row.key && name !== '' && name === row.name)}
          onChange={(changed) => change(rows.map((one) => (one.key === row.key ? changed : one)))}
          onRemove={() => change(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => change([...rows, { key: next, name: '', text: '' }])}
        >
          Add to {label.toLowerCase()}
        </Button>
      </Group>
    </MemberGroup>
  );
}

interface RowFieldsProps {
  readonly row: Row;
  /** Where it stands: `config.headers.X-Key`. */
  readonly path: string;
  /** Which of them it is. */
  readonly label: string;
  readonly isTwice: boolean;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

const TWICE = 'There is another one of this name.';

function RowFields({ row, path, label, isTwice, onChange, onRemove }: RowFieldsProps): ReactNode {
  const problem = useProblemAt(path);
  return (
    <Group align="flex-start" wrap="nowrap">
      <TextInput
        flex={1}
        aria-label={`${label}: what it is called`}
        placeholder="X-Gateway-Key"
        required
        value={row.name}
        error={isTwice ? TWICE : problem}
        // Only one of them would be sent.
        ref={(input) => input?.setCustomValidity(isTwice ? TWICE : '')}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      <PasswordInput
        flex={1}
        aria-label={`${label}: value`}
        required
        autoComplete="new-password"
        value={row.text}
        onChange={({ currentTarget }) => onChange({ ...row, text: currentTarget.value })}
      />
      <CloseButton aria-label={`Remove ${label}`} onClick={onRemove} />
    </Group>
  );
}

function rowsOf(value: unknown): readonly Row[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, text], key) => ({ key, name, text: String(text) }));
}
