import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { useDeleted } from '../../shared/use-deleted';
import { RotateSecret } from './rotate-secret';
import { TestDestination } from './test-destination';
import { useRefresh } from './use-destination';

/** What can be done to a destination. */
export function DestinationActions({
  destination,
}: {
  readonly destination: Dto['DestinationDto'];
}): ReactNode {
  const { id, name, enabled } = destination;
  const params = { path: { id } };
  const refresh = useRefresh();
  const forget = useDeleted('destinations');
  return (
    <>
      <TestDestination id={id} />
      {enabled ? (
        <ConfirmButton
          harmless
          label="Pause"
          consequence={`Nothing is sent to “${name}” until it is resumed. What comes meanwhile is kept for it.`}
          action={() => bodyOf(api.POST('/destinations/{id}/pause', { params }))}
          onDone={refresh}
        />
      ) : (
        <ConfirmButton
          harmless
          label="Resume"
          consequence={`“${name}” is sent what was kept for it, and what comes.`}
          action={() => bodyOf(api.POST('/destinations/{id}/resume', { params }))}
          onDone={refresh}
        />
      )}
      <RotateSecret destination={destination} />
      <ConfirmButton
        label="Delete"
        consequence={`“${name}” is deleted, and what still waits for it is never sent. What was delivered stays in the list of deliveries of each event.`}
        action={() => bodyOf(api.DELETE('/destinations/{id}', { params }))}
        onDone={() => forget(id)}
      />
    </>
  );
}
