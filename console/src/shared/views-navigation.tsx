import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

interface ViewsNavigationProps {
  /** What these are views of, for screen readers. */
  readonly label: string;
  /** Path to name. */
  readonly views: Readonly<Record<string, string>>;
}

/** The ways to look at the same thing, as links of which one is here. */
export function ViewsNavigation({ label, views }: ViewsNavigationProps): ReactNode {
  const [location] = useLocation();
  return (
    <Group component="nav" gap="xs" aria-label={label}>
      {Object.entries(views).map(([path, name]) => (
        <Button
          key={path}
          component={Link}
          href={path}
          size="compact-md"
          variant={location === path ? 'filled' : 'default'}
          aria-current={location === path ? 'page' : undefined}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
