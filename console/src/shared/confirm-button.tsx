import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionModal } from './action-modal';
import { ProblemAlert } from './problem-alert';
import { ReadAgain } from './read-again';

interface ConfirmButtonProps<Result> extends Pick<ButtonProps, 'size'> {
  /** The verb with its object: `Delete the source`. It is on the button and in the dialog. */
  readonly label: string;
  /** What will happen, with names: `“Web shop” stops taking events at once. Its 12 events stay.` */
  readonly consequence: ReactNode;
  readonly action: () => Promise<Result>;
  /** Called after it was done, with what was answered. */
  readonly onDone?: (result: Result) => void;
  /** It would be refused as things are, and `consequence` says why: the dialog does not offer it. */
  readonly refused?: boolean;
  /** Nothing is lost by it, so it is not red. */
  readonly harmless?: boolean;
  /** Shows what it is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
}

/** A button for what cannot be undone: a dialog says what will happen, and shows why it did not. */
export function ConfirmButton<Result>({
  label,
  consequence,
  action,
  onDone,
  refused = false,
  harmless = false,
  readAgain,
  size,
}: ConfirmButtonProps<Result>): ReactNode {
  const [opened, setOpened] = useState(false);
  const close = (): void => setOpened(false);
  const run = useMutation({
    mutationFn: action,
    onSuccess: (result) => {
      close();
      onDone?.(result);
    },
  });
  const color = harmless ? undefined : 'red';
  return (
    <>
      <Button variant="outline" color={color} size={size} onClick={() => (run.reset(), setOpened(true))}>
        {label}
      </Button>
      <ActionModal opened={opened} onClose={close} title={label} stays={run.isPending}>
        <Stack>
          <Text component="div">{consequence}</Text>
          {run.isError && <ProblemAlert error={run.error} />}
          <Group justify="flex-end">
            <ReadAgain error={run.error} readAgain={readAgain} />
            <Button variant="default" onClick={close} disabled={run.isPending} data-autofocus>
              Cancel
            </Button>
            {!refused && (
              <Button color={color} loading={run.isPending} onClick={() => run.mutate()}>
                {label}
              </Button>
            )}
          </Group>
        </Stack>
      </ActionModal>
    </>
  );
}
