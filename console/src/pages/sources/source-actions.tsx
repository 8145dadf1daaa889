import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { useDeleted } from '../../shared/use-deleted';

interface SourceActionsProps {
  readonly source: Dto['SourceDto'];
}

/** What can be done to a source. */
export function SourceActions({ source }: SourceActionsProps): ReactNode {
  const { id, name, kind, enabled } = source;
  const [status, senders] = kind === 'webhook' ? [404, 'the senders'] : [401, 'its SDKs'];
  const queries = useQueryClient();
  const forget = useDeleted('sources');
  const params = { path: { id } };
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['sources'] });
  return (
    <>
      <ConfirmButton
        harmless={!enabled}
        label={enabled ? 'Disable' : 'Enable'}
        consequence={
          enabled
            ? `“${name}” is answered ${status} from now on: what ${senders} send meanwhile is lost unless they keep it.`
            : `“${name}” may send events again.`
        }
        action={() => bodyOf(api.PUT('/sources/{id}', { params, body: { enabled: !enabled } }))}
        onDone={refresh}
      />
      <ConfirmButton
        harmless
        label="Rotate the write key"
        consequence={`“${name}” gets a new write key. The present one goes on working for 24 hours.`}
        action={() => bodyOf(api.POST('/sources/{id}/rotate-write-key', { params, body: {} }))}
        onDone={refresh}
      />
      <ConfirmButton
        label="Delete"
        consequence={`“${name}” is deleted and its write key stops working at once. The events it has sent stay.`}
        action={() => bodyOf(api.DELETE('/sources/{id}', { params }))}
        onDone={() => forget(id)}
      />
    </>
  );
}
