import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { Disclosure } from './disclosure';
import { JsonView } from './json-view';

interface BeforeAndAfterProps {
  readonly before: unknown;
  /** Undefined where nothing is left. */
  readonly after: unknown;
}

/** Two whole documents, one beside the other, for who opens them. */
export function BeforeAndAfter({ before, after }: BeforeAndAfterProps): ReactNode {
  return (
    <Disclosure summary="Before and after, as JSON">
      <SimpleGrid cols={{ base: 1, md: after === undefined ? 1 : 2 }}>
        <JsonView name="before" value={before} />
        {after !== undefined && <JsonView name="after" value={after} />}
      </SimpleGrid>
    </Disclosure>
  );
}
