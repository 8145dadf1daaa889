import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../shared/copy-button';

/** Secrets that the service tells this once. */
export function Secrets({ secrets }: { readonly secrets: Readonly<Record<string, unknown>> }): ReactNode {
  return (
    <Stack>
      <Text size="sm">Copy it to the receiver now: it is not shown again.</Text>
      {Object.entries(secrets).map(([member, secret]) => (
        <Group key={member} gap="xs">
          <Text size="sm">{member}</Text>
          <Code style={{ overflowWrap: 'anywhere' }} data-testid="secret">
            {String(secret)}
          </Code>
          <CopyButton name={`the ${member}`} text={String(secret)} />
        </Group>
      ))}
    </Stack>
  );
}
