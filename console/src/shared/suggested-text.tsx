import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** Whatever is said below it. */
const WIDTH = 220;

interface SuggestedTextProps extends Omit<TextInputProps, 'onChange' | 'value' | 'list'> {
  readonly value: string;
  readonly suggestions: readonly string[];
  readonly onChange: (text: string) => void;
}

/** A field for any text, with some that are known to choose from. */
export function SuggestedText({ suggestions, onChange, ...field }: SuggestedTextProps): ReactNode {
  const listId = useId();
  return (
    <>
      <TextInput
        w={WIDTH}
        {...field}
        list={listId}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={listId}>
        {suggestions.map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}
