import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error';

interface ReadAgainProps {
  /** Why something was not saved. */
  readonly error: Error | null;
  readonly readAgain: (() => Promise<void>) | undefined;
}

/** What to do where somebody else has changed it meanwhile: one sees what it is now. */
export function ReadAgain({ error, readAgain }: ReadAgainProps): ReactNode {
  if (error === null || readAgain === undefined || ProblemError.of(error).status !== 412) return null;
  return (
    <Button variant="default" onClick={() => void readAgain()}>
      Load what it is now
    </Button>
  );
}
