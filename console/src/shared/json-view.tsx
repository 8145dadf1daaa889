import { Code, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';
import { indentJson } from './indent-json';

interface JsonViewProps {
  /** What it is, for screen readers and the copy button: `the event`. */
  readonly name: string;
  readonly value: unknown;
}

/** JSON to read and to copy. Whatever it holds is text. */
export function JsonView({ name, value }: JsonViewProps): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return <TextBlock name={name} text={text} />;
}

interface JsonTextProps {
  readonly name: string;
  /** As it was sent, and as it is copied; where it was cut it is no JSON, and shown as it is. */
  readonly text: string;
}

/** JSON as it was sent, with every digit, on lines that people can read. */
export function JsonText({ name, text }: JsonTextProps): ReactNode {
  return <TextBlock name={name} text={indentJson(text) ?? text} copied={text} />;
}

interface TextBlockProps {
  readonly name: string;
  readonly text: string;
  /** What is copied, where it is not what is shown: with a secret, for one. */
  readonly copied?: string;
}

/** Text that somebody reads and copies: JSON, code, a body. */
export function TextBlock({ name, text, copied = text }: TextBlockProps): ReactNode {
  return (
    <Stack gap={4}>
      <Group justify="flex-end">
        <CopyButton name={name} text={copied} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={name} mah="60vh" style={{ overflow: 'auto' }}>
        {text}
      </Code>
    </Stack>
  );
}
