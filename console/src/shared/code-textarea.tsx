import { Textarea, type TextareaProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface CodeTextareaProps extends Pick<
  TextareaProps,
  'label' | 'description' | 'placeholder' | 'required' | 'minRows' | 'error'
> {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for JSON or YAML, which grows with what is in it. */
export function CodeTextarea({ minRows = 3, onChange, ...field }: CodeTextareaProps): ReactNode {
  return (
    <Textarea
      {...field}
      autosize
      w="100%"
      minRows={minRows}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
