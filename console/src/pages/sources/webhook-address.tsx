import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../shared/copy-button';
import { maskedKey } from './write-key';

/** Where a sender posts to. What is copied has the key; what is shown does not. */
export function WebhookAddress({ writeKey }: { readonly writeKey: string }): ReactNode {
  const address = (key: string): string => `${globalThis.location.origin}/v1/hooks/${key}`;
  return (
    <>
      <Text size="sm">Give it to the sender, and to nobody else: the key is a part of it.</Text>
      <Group gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{address(maskedKey(writeKey))}</Code>
        <CopyButton name="the address" text={address(writeKey)} />
      </Group>
    </>
  );
}
