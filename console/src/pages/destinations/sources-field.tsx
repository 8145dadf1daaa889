import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSources } from '../../api/all-of';

interface SourcesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Whose events a destination gets. */
export function SourcesField({ chosen, onChange }: SourcesFieldProps): ReactNode {
  const sources = useSources().data ?? [];
  if (sources.length === 0) return null;
  return (
    <Checkbox.Group
      label="Sources"
      description="Whose events it gets; of all sources when none is chosen."
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs" mah={200} style={{ overflow: 'auto' }} tabIndex={0}>
        {sources.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
