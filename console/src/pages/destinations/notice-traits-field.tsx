import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useComputedTraits } from '../../api/all-of';

interface NoticeTraitsFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The computed traits whose changes a destination is told of. */
export function NoticeTraitsField({ chosen, onChange }: NoticeTraitsFieldProps): ReactNode {
  const traits = useComputedTraits().data ?? [];
  if (traits.length === 0) return null;
  return (
    <Checkbox.Group
      label="Computed traits"
      description="Whose changes it is told of; of all when none is chosen. The values of those are kept."
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="xs" mt="xs" mah={200} style={{ overflow: 'auto' }} tabIndex={0}>
        {traits.map(({ id, name }) => (
          <Checkbox key={id} value={name} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
