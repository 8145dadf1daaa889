import { Anchor, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface ToProps {
  /** A path of the console: `/sources/…`. */
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to another page of the console; underlined, as it may stand within a text. */
export function To({ href, children }: ToProps): ReactNode {
  return (
    <Anchor component={Link} href={href} underline="always">
      {children}
    </Anchor>
  );
}

/** The same, as a button. */
export function ButtonTo({ href, children }: ToProps): ReactNode {
  return (
    <Button component={Link} href={href}>
      {children}
    </Button>
  );
}
