import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { SegmentForm, type SegmentBody } from './segment-form';
import { useSegment } from './use-segment';

export function EditPage(): ReactNode {
  const { id = '' } = useParams();
  return (
    <Answered query={useSegment(id)}>
      {(segment) => (
        <Page title={`${segment.name}: edit`}>
          <ForWriters>
            {' '}
            <SegmentForm segment={segment} action="Save" save={(body) => change(segment, body)} />
          </ForWriters>
        </Page>
      )}
    </Answered>
  );
}

/** Not over the change of somebody else: it is meant for the version that was read. */
function change({ id, version }: Dto['SegmentDto'], body: SegmentBody): Promise<Dto['SegmentDto']> {
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  return bodyOf(api.PUT('/segments/{id}', { params, body }));
}
