import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../api/me';

const SCHEMES = { auto: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** Who is logged in, the colours, the other pages of the service, and the way out. */
export function AccountMenu(): ReactNode {
  const { subject, scopes } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-md" maw={220}>
          {subject}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>May: {scopes.map((scope) => scope.replace('cdp:', '')).join(', ')}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as keyof typeof SCHEMES)}
        >
          {Object.entries(SCHEMES).map(([scheme, label]) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs">
          API (Swagger UI)
        </Menu.Item>
        {scopes.includes('cdp:admin') && (
          <Menu.Item component="a" href="/queues">
            Queues (Bull Board)
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item component="a" href="/logout">
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
