import {
  Checkbox,
  Fieldset,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../shared/code-textarea';
import { TextWithCode } from '../../shared/text-with-code';
import { FormsField } from './forms-field';
import { TextsField } from './texts-field';

/** What a connector says of a member of its config: as much of JSON Schema as a form can use. */
export interface Member {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: unknown;
  readonly properties?: ConfigSchema['properties'];
  readonly required?: readonly string[];
  /** Of a text that has several lines. */
  readonly contentMediaType?: string;
  /** Objects of which each has another `type`. */
  readonly oneOf?: readonly ConfigSchema[];
}

export interface ConfigSchema {
  readonly properties?: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
}

export type ConfigValues = Readonly<Record<string, unknown>>;

export interface SchemaFormProps {
  readonly schema: ConfigSchema;
  readonly values: ConfigValues;
  /** Members that were left empty are left out; a secret that was there is null. */
  readonly onChange: (values: ConfigValues) => void;
}

/** A field for each member that a JSON Schema describes. What is wrong with what was typed, the service says. */
export function SchemaForm({ schema, values, onChange }: SchemaFormProps): ReactNode {
  const { properties = {}, required = [] } = schema;
  const change = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = values;
    onChange(value === undefined || value === '' ? others : { ...others, [name]: value });
  };
  return Object.entries(properties).map(([name, member]) => (
    <MemberField
      key={name}
      label={labelOf(name)}
      description={member.description === undefined ? undefined : <TextWithCode text={member.description} />}
      member={member}
      required={required.includes(name)}
      value={values[name]}
      onChange={(value) => change(name, value)}
    />
  ));
}

export interface MemberFieldProps {
  readonly label: string;
  /** What the member says of itself, to be shown. */
  readonly description: ReactNode;
  readonly member: Member;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function MemberField(props: MemberFieldProps): ReactNode {
  const {
    type,
    enum: choices,
    format,
    oneOf,
    additionalProperties,
    properties,
    contentMediaType,
  } = props.member;
  if (oneOf !== undefined)
    return <FormsField {...props} forms={oneOf} fields={(form) => <SchemaForm {...form} />} />;
  if (type === 'object' && isText(additionalProperties)) return <TextsField {...props} />;
  if (type === 'object' && properties !== undefined) return <ObjectField {...props} />;
  if (contentMediaType !== undefined) return <LinesField {...props} />;
  if (type === 'boolean') return <SwitchField {...props} />;
  if (type === 'integer' || type === 'number') return <NumberField {...props} />;
  if (type === 'object' || type === 'array') return <JsonField {...props} />;
  if (choices !== undefined) return <ChoiceField {...props} />;
  return format === 'password' ? <SecretField {...props} /> : <TextField {...props} />;
}

function isText(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string';
}

/** An object with members of its own; it is left out while none of them is given. */
function ObjectField({ label, description, member, value, onChange }: MemberFieldProps): ReactNode {
  const values = (typeof value === 'object' && value !== null ? value : {}) as ConfigValues;
  return (
    <Fieldset legend={label}>
      <Stack>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
        <SchemaForm
          schema={member}
          values={values}
          onChange={(members) => onChange(Object.keys(members).length === 0 ? undefined : members)}
        />
      </Stack>
    </Fieldset>
  );
}

/** A text such as a certificate. Of a secret there is the mask alone, so that nothing is hidden here. */
function LinesField({ label, description, required, value, onChange }: MemberFieldProps): ReactNode {
  return (
    <CodeTextarea
      label={label}
      description={description}
      required={required}
      minRows={2}
      value={textOf(value)}
      onChange={onChange}
    />
  );
}

function SwitchField({ label, description, member, value, onChange }: MemberFieldProps): ReactNode {
  return (
    <Checkbox
      label={label}
      description={description}
      checked={(value ?? member.default) === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

function NumberField({ label, description, member, required, value, onChange }: MemberFieldProps): ReactNode {
  const { type, minimum, maximum } = member;
  return (
    <NumberInput
      label={label}
      description={description}
      required={required}
      placeholder={placeholderOf(member)}
      allowDecimal={type === 'number'}
      min={minimum}
      max={maximum}
      clampBehavior="none"
      value={typeof value === 'number' ? value : ''}
      onChange={(given) => onChange(typeof given === 'number' ? given : undefined)}
    />
  );
}

function ChoiceField({ label, description, member, required, value, onChange }: MemberFieldProps): ReactNode {
  const { enum: choices = [] } = member;
  return (
    <NativeSelect
      label={label}
      description={description}
      required={required}
      data={[{ value: '', label: placeholderOf(member) ?? '' }, ...choices.map(String)]}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** One that is emptied is to be gone: left out, it would stay. */
function SecretField({ label, description, member, required, value, onChange }: MemberFieldProps): ReactNode {
  const [none] = useState(() => (value === undefined ? undefined : null));
  return (
    <PasswordInput
      label={label}
      description={description}
      required={required}
      maxLength={member.maxLength}
      autoComplete="new-password"
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? none : currentTarget.value)}
    />
  );
}

function TextField({ label, description, member, required, value, onChange }: MemberFieldProps): ReactNode {
  return (
    <TextInput
      label={label}
      description={description}
      required={required}
      placeholder={placeholderOf(member)}
      maxLength={member.maxLength}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/**
 * A list or an object, as JSON. The text stays as it is written. What is no JSON yet is given on as text, and refused
 * by the service if it stays so.
 */
function JsonField({ label, description, required, value, onChange }: MemberFieldProps): ReactNode {
  const [text, setText] = useState(() =>
    typeof value === 'object' ? JSON.stringify(value, undefined, 2) : textOf(value),
  );
  return (
    <CodeTextarea
      label={label}
      description={description}
      required={required}
      minRows={2}
      value={text}
      onChange={(written) => {
        setText(written);
        onChange(jsonOf(written));
      }}
    />
  );
}

function jsonOf(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' ? read : text;
  } catch {
    return text; // It is still being written.
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Words that are written in capitals. */
const ABBREVIATIONS = /\b(?:ca|id|ip|json|tls|url)\b/g;

/** `forcePathStyle` as `Force path style`. */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function placeholderOf({ default: fallback, examples }: Member): string | undefined {
  if (fallback !== undefined) return `${JSON.stringify(fallback)}, unless it is given`;
  return typeof examples?.[0] === 'string' ? examples[0] : undefined;
}
