import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface ChoiceListProps {
  readonly label: string;
  readonly description: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any number of things to choose; nothing where there are none. */
export function ChoiceList({ label, description, choices, chosen, onChange }: ChoiceListProps): ReactNode {
  if (choices.length === 0) return null;
  return (
    <Checkbox.Group label={label} description={description} value={[...chosen]} onChange={onChange}>
      <Stack gap="xs" mt="xs" mah={200} style={{ overflow: 'auto' }} tabIndex={0}>
        {choices.map((choice) => (
          <Checkbox key={choice.value} {...choice} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
