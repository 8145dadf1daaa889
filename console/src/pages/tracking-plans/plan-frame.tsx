import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { ViewsNavigation } from '../../shared/views-navigation';
import { usePlan } from './use-plan';

interface PlanFrameProps {
  /** What of the plan the page shows, for its title: `versions`. */
  readonly part?: string;
  readonly actions?: (plan: Dto['TrackingPlanDto']) => ReactNode;
  readonly children: (plan: Dto['TrackingPlanDto']) => ReactNode;
}

/** What is around each page of one tracking plan. */
export function PlanFrame({ part, actions, children }: PlanFrameProps): ReactNode {
  const { id = '' } = useParams();
  return (
    <AnsweredPage
      query={usePlan(id)}
      fallbackTitle="Tracking plan"
      title={({ name }) => (part === undefined ? name : `${name}: ${part}`)}
      actions={actions}
    >
      {(plan) => (
        <>
          <ViewsNavigation
            label="Tracking plan"
            views={{ [`/tracking-plans/${id}`]: 'Overview', [`/tracking-plans/${id}/versions`]: 'Versions' }}
          />
          {children(plan)}
        </>
      )}
    </AnsweredPage>
  );
}
