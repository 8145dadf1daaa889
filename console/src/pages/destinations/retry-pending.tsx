import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { useRefresh } from './use-destination';

/** Has what waits for its next try sent now, as after an outage of the receiver. */
export function RetryPending({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { id, name } = destination;
  const params = { path: { id } };
  const refresh = useRefresh();
  return (
    <Group>
      <ConfirmButton
        harmless
        label="Retry pending deliveries"
        consequence={`All deliveries to “${name}” that wait for their next try are sent as soon as nothing is in their way: a destination that is paused stays so. Each uses one of the tries that it has left.`}
        action={() => bodyOf(api.POST('/destinations/{id}/retry', { params }))}
        onDone={refresh}
      />
    </Group>
  );
}
