import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { Editing } from '../../shared/editing';
import { ForWriters } from '../../shared/for-writers';
import { PlanForm } from './plan-form';
import { usePlan } from './use-plan';

export function EditPage(): ReactNode {
  const { id = '' } = useParams();
  const plan = usePlan(id);
  return (
    <AnsweredPage query={plan} fallbackTitle="Edit a tracking plan" title={({ name }) => `${name}: edit`}>
      {() => (
        <ForWriters>
          <Editing refetch={plan.refetch}>
            {({ read, ifMatch, readAgain }) => (
              <PlanForm
                plan={read}
                action="Save"
                save={(body) =>
                  bodyOf(api.PUT('/tracking-plans/{id}', { params: { path: { id }, header: ifMatch }, body }))
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
