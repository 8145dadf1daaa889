import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { howMany } from '../../shared/how-many';
import { Time } from '../../shared/time';

/** How many deliveries a replay would make, and of what. */
export function ReplayCount({ counted }: { readonly counted: Dto['ReplayDryRunDto'] }): ReactNode {
  const { deliveries, exact, events, from, to } = counted;
  const of = events === null ? 'the first million of more events' : howMany(events, 'event');
  return (
    <Text size="sm" component="div" role="status">
      {exact ? '' : 'About '}
      {howMany(deliveries, 'delivery', 'deliveries')} would be made, of {of} received from <Time at={from} />{' '}
      to <Time at={to} />.
    </Text>
  );
}
