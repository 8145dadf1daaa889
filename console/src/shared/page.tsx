import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Where the person comes in, the browser begins at the top, with the link that skips the navigation. */
let isFirstPage = true;

/** A page: its title, which also names the tab and gets the focus, so that a screen reader goes on there. */
export function Page({ title, actions, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  return (
    <Stack gap="lg">
      <title>{`${title} · Console`}</title>
      <Group justify="space-between" align="center">
        <Title
          order={1}
          size="h2"
          tabIndex={-1}
          ref={heading}
          style={{ outline: 'none', overflowWrap: 'anywhere' }}
        >
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}
