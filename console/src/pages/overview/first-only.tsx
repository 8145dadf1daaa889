import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { To } from '../../shared/to';

interface FirstOnlyProps {
  readonly count: number;
  /** Where all of them are. */
  readonly all: string;
}

/** Says that a table is not of all that there are. */
export function FirstOnly({ count, all }: FirstOnlyProps): ReactNode {
  return (
    <Text size="sm" component="div" mt="xs">
      The first {count} are here. <To href={all}>See them all</To>
    </Text>
  );
}
