import { Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ActionModal } from '../../shared/action-modal';
import { Loading } from '../../shared/answered';
import { failureWords } from '../../shared/deliveries/failure-words';
import { Latency } from '../../shared/deliveries/tries';
import { JsonView } from '../../shared/json-view';
import { ProblemAlert } from '../../shared/problem-alert';
import { StatusBadge } from '../../shared/status-badge';
import { useRefresh } from './use-destination';

/** Sends a sample event at once, and shows what came of it. */
export function TestDestination({ id }: { readonly id: string }): ReactNode {
  const refresh = useRefresh();
  const test = useMutation({
    mutationFn: () => bodyOf(api.POST('/destinations/{id}/test', { params: { path: { id } } })),
    onSuccess: refresh,
  });
  return (
    <>
      <Button variant="outline" onClick={() => test.mutate()}>
        Test
      </Button>
      <ActionModal
        opened={!test.isIdle}
        onClose={() => test.reset()}
        size="lg"
        title="Test with a sample event"
        stays={test.isPending}
      >
        {test.isPending && <Loading />}
        {test.isError && <ProblemAlert error={test.error} />}
        {test.isSuccess && <TestResult result={test.data} />}
      </ActionModal>
    </>
  );
}

function TestResult({ result }: { readonly result: Dto['DestinationTestDto'] }): ReactNode {
  const { delivered, status, errorClass, answer, latency, event } = result;
  return (
    <Stack>
      <div>
        <StatusBadge tone={delivered ? 'good' : 'bad'}>{delivered ? 'Delivered' : 'Failed'}</StatusBadge>
      </div>
      <Text size="sm">
        {status !== null && `Answered ${status}. `}
        {errorClass !== null && `Why: ${failureWords(errorClass)}. `}
        It took <Latency latency={latency} />.
      </Text>
      {answer !== null && answer !== '' && <Code block>{answer}</Code>}
      <JsonView name="the event that was sent" value={event} />
    </Stack>
  );
}
