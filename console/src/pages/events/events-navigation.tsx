import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

const VIEWS = { '/events': 'Accepted', '/events/rejected': 'Rejected' };

/** The ways to look at events. */
export function EventsNavigation(): ReactNode {
  const [location] = useLocation();
  return (
    <Group component="nav" gap="xs" aria-label="Events">
      {Object.entries(VIEWS).map(([path, label]) => (
        <Button
          key={path}
          component={Link}
          href={path}
          size="compact-md"
          variant={location === path ? 'filled' : 'default'}
          aria-current={location === path ? 'page' : undefined}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
