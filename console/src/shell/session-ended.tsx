import { Affix, Alert, Anchor, getDefaultZIndex } from '@mantine/core';
import type { ReactNode } from 'react';
import { loginPath, useSession } from '../api/session';

/**
 * Says that nobody is logged in any more, above dialogs too. What was written on the page stays, and can be sent again.
 */
export function SessionEnded(): ReactNode {
  if (useSession() === 'lasts') return null;
  return (
    <Affix position={{ top: 8, right: 8 }} zIndex={getDefaultZIndex('max')} maw="calc(100vw - 16px)">
      <Alert color="red" variant="filled" role="alert" title="Your session has ended">
        <Anchor href={loginPath()} target="_blank" c="inherit" underline="always" size="sm">
          Log in again in another tab
        </Anchor>
        , then go on here: nothing is lost.
      </Alert>
    </Affix>
  );
}
