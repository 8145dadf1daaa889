import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { howMany } from '../../shared/how-many';
import { ButtonTo } from '../../shared/to';
import { useDeleted } from '../../shared/use-deleted';

/** What can be done to a segment. */
export function SegmentActions({ segment }: { readonly segment: Dto['SegmentDto'] }): ReactNode {
  const { id, name, state, memberCount } = segment;
  const params = { path: { id } };
  const queries = useQueryClient();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['segments'] });
  const forget = useDeleted('segments');
  return (
    <>
      <ButtonTo href={`/segments/${id}/edit`}>Edit</ButtonTo>
      {state === 'failed' && (
        <ConfirmButton
          harmless
          label="Compute it again"
          consequence={`The members of “${name}” are computed anew. Until that is done they stay as they are.`}
          action={() => bodyOf(api.PUT('/segments/{id}', { params, body: {} }))}
          onDone={refresh}
        />
      )}
      <ConfirmButton
        label="Delete"
        consequence={`“${name}” is deleted, and that its ${howMany(memberCount, 'member was', 'members were')} in it. The people stay. It cannot be deleted while rules of segments or filters of destinations ask about it.`}
        action={() => bodyOf(api.DELETE('/segments/{id}', { params }))}
        onDone={() => forget(id)}
      />
    </>
  );
}
