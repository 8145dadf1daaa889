import { Code } from '@mantine/core';
import type { ReactNode } from 'react';

/** More of a value is seen in its document. */
const MAX_CHARACTERS = 300;

/** A JSON value within a line; undefined is nothing. */
export function ShortValue({ value }: { readonly value: unknown }): ReactNode {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return 'nothing';
  return (
    <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text}
    </Code>
  );
}
