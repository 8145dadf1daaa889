import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { VersionsTable } from '../../shared/versions-table';
import { PlanFrame } from './plan-frame';
import { useVersions } from './use-plan';

/** The versions of a tracking plan, newest first. */
export function VersionsPage(): ReactNode {
  return <PlanFrame part="versions">{(plan) => <Versions plan={plan} />}</PlanFrame>;
}

function Versions({ plan }: { readonly plan: Dto['TrackingPlanDto'] }): ReactNode {
  const href = `/tracking-plans/${plan.id}/versions`;
  return <VersionsTable versions={useVersions(plan.id)} current={plan.version} href={href} />;
}
