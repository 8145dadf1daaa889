import { Code, Group, Stack, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '../../shared/copy-button';
import { TextBlock } from '../../shared/json-view';
import { snippets } from './snippets';

/** The write key, until it was copied, and how each SDK takes it. */
export function WriteKey({ writeKey }: { readonly writeKey: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <Stack>
      <Group gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }} data-testid="write-key">
          {isCopied ? maskedKey(writeKey) : writeKey}
        </Code>
        <CopyButton name="the write key" text={writeKey} onCopied={() => setCopied(true)} />
      </Group>
      <Snippets writeKey={writeKey} />
    </Stack>
  );
}

/** Enough to recognise it by. */
export function maskedKey(writeKey: string): string {
  return `${writeKey.slice(0, 8)}…`;
}

/** How to send a first event, by SDK. What is copied has the key; what is shown does not. */
export function Snippets({ writeKey }: { readonly writeKey: string }): ReactNode {
  const shown = snippets(globalThis.location.origin, maskedKey(writeKey));
  const copied = snippets(globalThis.location.origin, writeKey);
  return (
    <Tabs defaultValue={shown[0]?.name} keepMounted={false}>
      <Tabs.List aria-label="SDKs">
        {shown.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, code }, index) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <TextBlock name={`the snippet for ${name}`} text={code} copied={copied[index]?.code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
