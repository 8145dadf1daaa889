import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type AroundNavHandler, Router } from 'wouter';
import { ActionModal } from '../shared/action-modal';
import { forgetUnsaved, isSomethingUnsaved } from '../shared/unsaved';

interface AskingRouterProps {
  readonly base: string;
  readonly children: ReactNode;
}

/** Goes from page to page, and asks before one is left where something is written that is not saved. */
export function AskingRouter({ base, children }: AskingRouterProps): ReactNode {
  const [leave, setLeave] = useState<{ readonly now: () => void }>();
  const askOrGo = useCallback<AroundNavHandler>((go, to, options) => {
    if (losesNothing(to)) go(to, options);
    else setLeave({ now: () => go(to, options) });
  }, []);
  useEffect(() => onBackOrForward((now) => setLeave({ now })), []);
  const stay = (): void => setLeave(undefined);
  return (
    <Router base={base} aroundNav={askOrGo}>
      {children}
      <ActionModal opened={leave !== undefined} onClose={stay} title="Leave without saving?" stays={false}>
        <Stack>
          <Text>What you have written here is not saved. It is lost when you leave.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={stay} data-autofocus>
              Stay
            </Button>
            <Button
              color="red"
              onClick={() => {
                stay();
                forgetUnsaved();
                leave?.now();
              }}
            >
              Leave without saving
            </Button>
          </Group>
        </Stack>
      </ActionModal>
    </Router>
  );
}

/** Nothing is written, or the page stays and only what it shows changes. */
function losesNothing(to: string): boolean {
  return !isSomethingUnsaved() || new URL(to, location.href).pathname === location.pathname;
}

/** The buttons of the browser. One that cannot be held up goes on as if nobody had asked. */
function onBackOrForward(ask: (goOn: () => void) => void): () => void {
  // Not in every browser yet.
  if (!('navigation' in globalThis)) return () => undefined;
  const { navigation } = globalThis;
  const hold = (event: NavigateEvent): void => {
    const { navigationType, cancelable, destination } = event;
    // Of what leaves the console the browser asks by itself.
    if (navigationType !== 'traverse' || !cancelable || !destination.sameDocument) return;
    if (losesNothing(destination.url)) return;
    event.preventDefault();
    ask(() => void navigation.traverseTo(destination.key));
  };
  navigation.addEventListener('navigate', hold);
  return () => navigation.removeEventListener('navigate', hold);
}
