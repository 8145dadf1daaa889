import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProblemAt } from './field-problems';

interface NameFieldProps extends Pick<TextInputProps, 'placeholder' | 'description' | 'maw'> {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** The name of what has one. */
export function NameField({ onChange, ...field }: NameFieldProps): ReactNode {
  return (
    <TextInput
      {...field}
      label="Name"
      required
      maxLength={200}
      error={useProblemAt('name')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface DescriptionFieldProps extends Pick<TextareaProps, 'maw'> {
  readonly value: string;
  readonly onChange: (description: string) => void;
}

/** What people say of it. */
export function DescriptionField({ onChange, ...field }: DescriptionFieldProps): ReactNode {
  return (
    <Textarea
      {...field}
      label="Description"
      maxLength={2000}
      error={useProblemAt('description')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
