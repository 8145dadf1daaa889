import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { markOf } from './show-first-problem';

interface ChoiceListProps {
  readonly label: string;
  readonly description: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** What is wrong with those that are chosen. */
  readonly error?: string | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Any number of things to choose; nothing where there are none. */
export function ChoiceList({ choices, chosen, onChange, ...group }: ChoiceListProps): ReactNode {
  if (choices.length === 0) return null;
  return (
    <Checkbox.Group {...group} {...markOf(group.error)} value={[...chosen]} onChange={onChange}>
      <Stack gap="xs" mt="xs" mah={200} style={{ overflow: 'auto' }} tabIndex={0}>
        {choices.map((choice) => (
          <Checkbox key={choice.value} {...choice} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
