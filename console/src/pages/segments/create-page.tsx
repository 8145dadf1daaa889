import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { SegmentForm } from './segment-form';

export function CreatePage(): ReactNode {
  return (
    <Page title="Create a segment">
      <ForWriters>
        <SegmentForm action="Create" save={(body) => bodyOf(api.POST('/segments', { body }))} />
      </ForWriters>
    </Page>
  );
}
