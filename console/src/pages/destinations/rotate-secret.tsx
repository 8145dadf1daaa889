import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ActionModal } from '../../shared/action-modal';
import { ProblemAlert } from '../../shared/problem-alert';
import { Time } from '../../shared/time';
import { Secrets } from './secrets';
import { useRefresh } from './use-destination';

/** Makes a new signing secret, and shows it once. */
export function RotateSecret({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { id, name } = destination;
  const { signatureHeader = 'X-Service-Signature' } = destination.config as { signatureHeader?: string };
  const [opened, setOpened] = useState(false);
  const refresh = useRefresh();
  const rotate = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/destinations/{id}/rotate-secret', { params: { path: { id } }, body: {} })),
    onSuccess: refresh,
  });
  const close = (): void => {
    setOpened(false);
    rotate.reset();
  };
  return (
    <>
      <Button variant="outline" onClick={() => setOpened(true)}>
        Rotate the secret
      </Button>
      <ActionModal
        opened={opened}
        onClose={close}
        size="lg"
        title={rotate.isSuccess ? `New secret of ${name}` : 'Rotate the secret'}
        stays={rotate.isPending || rotate.isSuccess}
      >
        {rotate.isSuccess ? (
          <Stack>
            <Secrets secrets={rotate.data.secrets} />
            <Text size="sm">
              Until <Time at={rotate.data.previousSecretsUntil} /> <code>webhook-signature</code> has a
              signature of the old secret as well. Those of earlier rotations end when they were to.
            </Text>
            <Group justify="flex-end">
              <Button onClick={close}>I have copied it</Button>
            </Group>
          </Stack>
        ) : (
          <Stack>
            <Text>
              What is sent to “{name}” is signed with a new secret from now on. For 24 hours{' '}
              <code>webhook-signature</code> has a signature of the old one as well;{' '}
              <code>{signatureHeader}</code> is of the new one at once.
            </Text>
            {rotate.isError && <ProblemAlert error={rotate.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={rotate.isPending} data-autofocus>
                Cancel
              </Button>
              <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
                Rotate the secret
              </Button>
            </Group>
          </Stack>
        )}
      </ActionModal>
    </>
  );
}
