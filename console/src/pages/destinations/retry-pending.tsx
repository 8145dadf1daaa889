import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { waitsWords } from '../../shared/deliveries/waits-words';
import { howMany } from '../../shared/how-many';
import { useRefresh } from './use-destination';

interface RetryPendingProps {
  readonly destination: Dto['DestinationDto'];
  /** Deliveries that are not over yet. */
  readonly pending: number;
}

/** Has what waits for its next try sent now, as after an outage of the receiver, and says how much that was. */
export function RetryPending({ destination, pending }: RetryPendingProps): ReactNode {
  const { id, name } = destination;
  const params = { path: { id } };
  const refresh = useRefresh();
  const [retried, setRetried] = useState<Dto['RetriedDeliveriesDto']>();
  return (
    <Stack align="flex-start" gap="xs">
      {pending > 0 && (
        <ConfirmButton
          harmless
          label="Retry pending deliveries"
          consequence={`All deliveries to “${name}” that wait for their next try are sent as soon as nothing is in their way: a destination that is paused stays so. Each uses one of the tries that it has left.`}
          action={() => bodyOf(api.POST('/destinations/{id}/retry', { params }))}
          onDone={(answer) => {
            setRetried(answer);
            refresh();
          }}
        />
      )}
      {retried !== undefined && <Text role="status">{wordsOf(retried)}</Text>}
    </Stack>
  );
}

function wordsOf({ deliveries, waitsFor }: Dto['RetriedDeliveriesDto']): string {
  const due =
    deliveries === 0
      ? 'No delivery waited for a next try.'
      : `Due now: ${howMany(deliveries, 'delivery', 'deliveries')}.`;
  return waitsFor === null ? due : `${due} What is pending waits. ${waitsWords(waitsFor)}`;
}
