import { Fieldset, NativeSelect, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../shared/field-problems';
import { type ConfigSchema, kindLabelOf } from './config-labels';
import type { ConfigValues, MemberFieldProps, SchemaFormProps } from './schema-form';

interface FormsFieldProps extends MemberFieldProps {
  readonly forms: readonly ConfigSchema[];
  readonly fields: (form: SchemaFormProps) => ReactNode;
}

/** An object that may have one of several forms, by its `type`: which one, and the fields that it has. */
export function FormsField({
  label,
  description,
  path,
  value,
  onChange,
  forms,
  fields,
}: FormsFieldProps): ReactNode {
  const [whole, ofType] = [useProblemAt(path), useProblemAt(memberAt(path, 'type'))];
  const values = (typeof value === 'object' && value !== null ? value : {}) as ConfigValues;
  const chosen = forms.find((form) => typeOf(form) === values.type);
  return (
    <Fieldset legend={label}>
      <Stack>
        <NativeSelect
          label={kindLabelOf(label)}
          description={description}
          error={whole ?? ofType}
          data={[{ value: '', label: 'None' }, ...forms.map(typeOf)]}
          value={chosen === undefined ? '' : typeOf(chosen)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : { type: currentTarget.value })
          }
        />
        {chosen !== undefined &&
          fields({
            schema: withoutType(chosen),
            path,
            values,
            onChange: (members) => onChange({ ...members, type: values.type }),
          })}
      </Stack>
    </Fieldset>
  );
}

function typeOf({ properties }: ConfigSchema): string {
  return String(properties?.type?.enum?.[0]);
}

function withoutType({ properties, required }: ConfigSchema): ConfigSchema {
  const { type: _, ...members } = properties ?? {};
  return { properties: members, required };
}
