import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error';
import { ProblemAlert } from './problem-alert';

interface ReadAgainProps {
  /** Why something was not saved. */
  readonly error: Error | null;
  readonly readAgain: (() => Promise<unknown>) | undefined;
}

/** What to do where somebody else has changed it meanwhile: one sees what it is now. */
export function ReadAgain({ error, readAgain }: ReadAgainProps): ReactNode {
  const reading = useMutation({ mutationFn: async () => readAgain?.() });
  if (error === null || readAgain === undefined || ProblemError.of(error).status !== 412) return null;
  return (
    <>
      {reading.isError && <ProblemAlert error={reading.error} />}
      <Button variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
        Load what it is now
      </Button>
    </>
  );
}
