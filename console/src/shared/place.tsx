import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePlaceWords } from './place-words';

/** A place that the service names: by the label of its field, where there is a form for it. */
export function Place({ path }: { readonly path: string }): ReactNode {
  const words = usePlaceWords()(path);
  if (path === '') return null;
  return words === undefined ? <Code>{path}</Code> : <b>{words}:</b>;
}
