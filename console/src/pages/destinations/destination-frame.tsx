import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { Page } from '../../shared/page';
import { useDestination } from './use-destination';

interface DestinationFrameProps {
  /** What of the destination the page shows, for its title: `deliveries`. */
  readonly part?: string;
  readonly actions?: (destination: Dto['DestinationDto']) => ReactNode;
  readonly children: (destination: Dto['DestinationDto']) => ReactNode;
}

/** What is around each page of one destination. */
export function DestinationFrame({ part, actions, children }: DestinationFrameProps): ReactNode {
  const { id = '' } = useParams();
  return (
    <Answered query={useDestination(id)}>
      {(destination) => (
        <Page
          title={part === undefined ? destination.name : `${destination.name}: ${part}`}
          actions={actions?.(destination)}
        >
          <Navigation id={id} />
          {children(destination)}
        </Page>
      )}
    </Answered>
  );
}

function Navigation({ id }: { readonly id: string }): ReactNode {
  const [location] = useLocation();
  const path = `/destinations/${id}`;
  const parts = {
    [path]: 'Overview',
    [`${path}/deliveries`]: 'Deliveries',
    [`${path}/dead-letters`]: 'Dead letters',
  };
  return (
    <Group component="nav" gap="xs" aria-label="Destination">
      {Object.entries(parts).map(([href, label]) => (
        <Button
          key={href}
          component={Link}
          href={href}
          size="compact-md"
          variant={location === href ? 'filled' : 'default'}
          aria-current={location === href ? 'page' : undefined}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
