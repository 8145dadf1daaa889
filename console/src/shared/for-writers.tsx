import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCan } from '../api/me';

/** What only those can use who may change something; others, whom a link has led here, are told so. */
export function ForWriters({ children }: { readonly children: ReactNode }): ReactNode {
  return useCan('write') ? children : <Text>You may look at this, but not change it.</Text>;
}
