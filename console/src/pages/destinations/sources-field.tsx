import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSources } from '../../api/all-of';
import { Answered } from '../../shared/answered';

interface SourcesFieldProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Whose events a destination gets. */
export function SourcesField({ chosen, onChange }: SourcesFieldProps): ReactNode {
  return (
    <Answered query={useSources()}>
      {(sources) =>
        sources.length > 0 && (
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
        )
      }
    </Answered>
  );
}
