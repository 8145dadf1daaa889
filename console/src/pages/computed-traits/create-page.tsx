import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { ComputedTraitForm } from './computed-trait-form';

export function CreatePage(): ReactNode {
  return (
    <Page title="Create a computed trait">
      <ForWriters>
        <ComputedTraitForm action="Create" save={(body) => bodyOf(api.POST('/computed-traits', { body }))} />
      </ForWriters>
    </Page>
  );
}
