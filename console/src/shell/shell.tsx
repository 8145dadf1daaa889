import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../api/me';
import { pages } from '../pages';
import { AccountMenu } from './account-menu';
import { SessionEnded } from './session-ended';
import iconUrl from './icon.svg';
import classes from './shell.module.css';

/** What is around every page: where one is, where one can go, and who one is. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  useEffect(close, [location, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <img src={iconUrl} alt="" width={28} height={28} />
            <Text fw={600} visibleFrom="xs">
              Customer data platform
            </Text>
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className={opened ? undefined : classes.closed}>
        <Navigation location={location} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <SessionEnded />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ location }: { readonly location: string }): ReactNode {
  const { scopes } = useMe();
  return pages
    .filter(({ needs }) => scopes.includes(`cdp:${needs}`))
    .map(({ label, path }) => {
      const isHere = `${location}/`.startsWith(`${path}/`);
      return (
        <NavLink
          key={path}
          component={Link}
          href={path}
          label={label}
          active={isHere}
          variant="filled"
          aria-current={isHere ? 'page' : undefined}
        />
      );
    });
}
