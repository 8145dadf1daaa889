import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { ForWriters } from '../../shared/for-writers';
import { Page } from '../../shared/page';
import { PlanForm } from './plan-form';

export function CreatePage(): ReactNode {
  return (
    <Page title="Create a tracking plan">
      <ForWriters>
        <PlanForm action="Create" save={(body) => bodyOf(api.POST('/tracking-plans', { body }))} />
      </ForWriters>
    </Page>
  );
}
