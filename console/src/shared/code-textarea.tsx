import { Textarea, type TextareaProps } from '@mantine/core';
import type { ReactNode } from 'react';

const MAX_ROWS = 20;

interface CodeTextareaProps extends Pick<
  TextareaProps,
  'label' | 'description' | 'placeholder' | 'required' | 'error'
> {
  readonly minRows?: number;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for JSON or YAML, which grows with its lines. They are counted: to measure a megabyte takes a second. */
export function CodeTextarea({ minRows = 3, onChange, ...field }: CodeTextareaProps): ReactNode {
  const lines = field.value.split('\n').length;
  return (
    <Textarea
      {...field}
      w="100%"
      rows={Math.min(Math.max(lines, minRows), MAX_ROWS)}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
