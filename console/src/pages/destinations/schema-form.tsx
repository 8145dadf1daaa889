import { Checkbox, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeTextarea } from '../../shared/code-textarea';
import { memberAt, useProblemsIn } from '../../shared/field-problems';
import { TextWithCode } from '../../shared/text-with-code';
import { type ConfigSchema, labelOf, type Member } from './config-labels';
import { FormsField } from './forms-field';
import { MemberGroup } from './member-group';
import { TextsField } from './texts-field';

export type ConfigValues = Readonly<Record<string, unknown>>;

export interface SchemaFormProps {
  readonly schema: ConfigSchema;
  /** Where it stands: `config.tls`. */
  readonly path: string;
  readonly values: ConfigValues;
  /** Members that were left empty are left out; a secret that was there is null. */
  readonly onChange: (values: ConfigValues) => void;
}

/** A field for each member that a JSON Schema describes. What is wrong with what was typed, the service says. */
export function SchemaForm({ schema, path, values, onChange }: SchemaFormProps): ReactNode {
  const { properties = {}, required = [] } = schema;
  const change = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = values;
    onChange(value === undefined || value === '' ? others : { ...others, [name]: value });
  };
  return Object.entries(properties).map(([name, member]) => (
    <MemberField
      key={name}
      path={memberAt(path, name)}
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
  /** Where it stands: `config.tls.ca`. */
  readonly path: string;
  readonly label: string;
  /** What the member says of itself, to be shown. */
  readonly description: ReactNode;
  readonly member: Member;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Of a member for which there is one field. */
interface FieldProps extends Pick<MemberFieldProps, 'member' | 'value' | 'onChange'> {
  /** What all kinds of fields say. */
  readonly field: Pick<MemberFieldProps, 'label' | 'description' | 'required'> & {
    readonly error: string | undefined;
  };
}

function MemberField(props: MemberFieldProps): ReactNode {
  const { type, oneOf, additionalProperties, properties } = props.member;
  if (oneOf !== undefined)
    return <FormsField {...props} forms={oneOf} fields={(form) => <SchemaForm {...form} />} />;
  if (type === 'object' && isText(additionalProperties)) return <TextsField {...props} />;
  if (type === 'object' && properties !== undefined) return <ObjectField {...props} />;
  return <OneField {...props} />;
}

function OneField({ path, label, description, required, ...rest }: MemberFieldProps): ReactNode {
  const props = { ...rest, field: { label, description, required, error: useProblemsIn(path) } };
  const { type, enum: choices, format, contentMediaType } = rest.member;
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
function ObjectField({ member, value, onChange, ...group }: MemberFieldProps): ReactNode {
  const values = (typeof value === 'object' && value !== null ? value : {}) as ConfigValues;
  return (
    <MemberGroup {...group}>
      <SchemaForm
        schema={member}
        path={group.path}
        values={values}
        onChange={(members) => onChange(Object.keys(members).length === 0 ? undefined : members)}
      />
    </MemberGroup>
  );
}

/** A text such as a certificate. Of a secret there is the mask alone, so that nothing is hidden here. */
function LinesField({ field, value, onChange }: FieldProps): ReactNode {
  return <CodeTextarea {...field} minRows={2} value={textOf(value)} onChange={onChange} />;
}

function SwitchField({ field, member, value, onChange }: FieldProps): ReactNode {
  return (
    <Checkbox
      label={field.label}
      description={field.description}
      error={field.error}
      aria-invalid={field.error !== undefined}
      checked={(value ?? member.default) === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

function NumberField({ field, member, value, onChange }: FieldProps): ReactNode {
  const { type, minimum, maximum } = member;
  return (
    <NumberInput
      {...field}
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

function ChoiceField({ field, member, value, onChange }: FieldProps): ReactNode {
  const { enum: choices = [] } = member;
  return (
    <NativeSelect
      {...field}
      data={[{ value: '', label: placeholderOf(member) ?? '' }, ...choices.map(String)]}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** One that is emptied is to be gone: left out, it would stay. */
function SecretField({ field, member, value, onChange }: FieldProps): ReactNode {
  const [none] = useState(() => (value === undefined ? undefined : null));
  return (
    <PasswordInput
      {...field}
      maxLength={member.maxLength}
      autoComplete="new-password"
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? none : currentTarget.value)}
    />
  );
}

function TextField({ field, member, value, onChange }: FieldProps): ReactNode {
  return (
    <TextInput
      {...field}
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
function JsonField({ field, value, onChange }: FieldProps): ReactNode {
  const [text, setText] = useState(() =>
    typeof value === 'object' ? JSON.stringify(value, undefined, 2) : textOf(value),
  );
  return (
    <CodeTextarea
      {...field}
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

function placeholderOf({ default: fallback, examples }: Member): string | undefined {
  if (fallback !== undefined) return `${JSON.stringify(fallback)}, unless it is given`;
  return typeof examples?.[0] === 'string' ? examples[0] : undefined;
}
