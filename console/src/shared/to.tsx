import { Anchor, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useRouter } from 'wouter';

interface ToProps {
  /** A path of the console: `/sources/…`. */
  readonly href: string;
  readonly children: ReactNode;
}

interface LinkProps extends ToProps {
  /** Where the link is left before the page is: within a dialog. */
  readonly onFollow?: () => void;
}

/** A link to another page of the console; underlined, as it may stand within a text. */
export function To({ href, children, onFollow }: LinkProps): ReactNode {
  return (
    <Anchor component={Link} href={href} underline="always" inherit onClick={onFollow}>
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

/** A link that opens beside a form, so that what is written there stays. */
export function ToAside({ href, children }: ToProps): ReactNode {
  const { base } = useRouter();
  return (
    <Anchor href={`${base}${href}`} target="_blank" underline="always" inherit>
      {children}
    </Anchor>
  );
}
