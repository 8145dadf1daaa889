import { Code } from '@mantine/core';
import type { ReactNode } from 'react';

/** A text of the API, in which backticks are around what is code: `The private key of cert`, with `cert` as code. */
export function TextWithCode({ text }: { readonly text: string }): ReactNode {
  // What stands between two backticks is each second part.
  const parts = text.split('`');
  return parts.map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- a part is known by its place
    index % 2 === 1 ? <Code key={index}>{part}</Code> : part,
  );
}
