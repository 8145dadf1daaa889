import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { TransformationForm } from './transformation-form';

export function CreatePage(): ReactNode {
  return (
    <Page title="Create a transformation">
      <ForWriters>
        <TransformationForm action="Create" save={(body) => bodyOf(api.POST('/transformations', { body }))} />
      </ForWriters>
    </Page>
  );
}
