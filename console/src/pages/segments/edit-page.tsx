import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { Editing } from '../../shared/editing';
import { ForWriters } from '../../shared/for-writers';
import { SegmentForm } from './segment-form';
import { useSegment } from './use-segment';

export function EditPage(): ReactNode {
  const { id = '' } = useParams();
  const segment = useSegment(id);
  return (
    <AnsweredPage query={segment} fallbackTitle="Edit a segment" title={({ name }) => `${name}: edit`}>
      {() => (
        <ForWriters>
          <Editing refetch={segment.refetch}>
            {({ read, ifMatch, readAgain }) => (
              <SegmentForm
                segment={read}
                action="Save"
                save={(body) =>
                  bodyOf(api.PUT('/segments/{id}', { params: { path: { id }, header: ifMatch }, body }))
                }
                readAgain={readAgain}
              />
            )}
          </Editing>
        </ForWriters>
      )}
    </AnsweredPage>
  );
}
