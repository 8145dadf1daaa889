import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

interface FormEndProps {
  /** What the button does: `Create`. */
  readonly action: string;
  readonly saving: Pick<
    UseMutationResult<unknown, Error, never>,
    'isError' | 'error' | 'isPending' | 'isSuccess'
  >;
  /** What to say when it is done, where the form stays. */
  readonly done?: string;
  readonly disabled?: boolean;
}

/** The end of a form: why it was not saved, and the button that saves it. */
export function FormEnd({ action, saving, done, disabled = false }: FormEndProps): ReactNode {
  return (
    <>
      {saving.isError && <ProblemAlert error={saving.error} />}
      <Group justify="flex-end">
        {done !== undefined && (
          <Text size="sm" aria-live="polite">
            {saving.isSuccess && done}
          </Text>
        )}
        <Button type="submit" loading={saving.isPending} disabled={disabled}>
          {action}
        </Button>
      </Group>
    </>
  );
}
