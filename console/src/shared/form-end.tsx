import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ProblemAlert } from './problem-alert';
import { ReadAgain } from './read-again';
import { showFirstProblem } from './show-first-problem';

interface FormEndProps {
  /** What the button does: `Create`. */
  readonly action: string;
  readonly saving: Pick<UseMutationResult<unknown, Error, never>, 'isError' | 'error' | 'isPending'>;
  /** What to say where the form stays when it is done; empty as long as what is there is not saved. */
  readonly done?: string;
  readonly disabled?: boolean;
  /** Fills the form with what is there now: what to do where somebody else has changed it meanwhile. */
  readonly readAgain?: () => Promise<unknown>;
}

/** The end of a form: why it was not saved, and the button that saves it. What was refused leads to the first field at fault. */
export function FormEnd({ action, saving, done, disabled = false, readAgain }: FormEndProps): ReactNode {
  const end = useRef<HTMLDivElement>(null);
  const { error } = saving;
  useEffect(() => {
    if (error !== null) showFirstProblem(end.current?.closest('form'));
  }, [error]);
  return (
    <>
      {saving.isError && <ProblemAlert error={saving.error} />}
      <Group justify="flex-end" ref={end}>
        <ReadAgain error={saving.error} readAgain={readAgain} />
        {done !== undefined && (
          <Text size="sm" aria-live="polite">
            {done}
          </Text>
        )}
        <Button type="submit" loading={saving.isPending} disabled={disabled}>
          {action}
        </Button>
      </Group>
    </>
  );
}
