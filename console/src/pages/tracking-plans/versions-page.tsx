import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import type { Column } from '../../shared/data-table';
import { LongTable } from '../../shared/long-table';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { PlanFrame } from './plan-frame';
import { useVersions } from './use-plan';

/** The versions of a tracking plan, newest first. */
export function VersionsPage(): ReactNode {
  return <PlanFrame part="versions">{(plan) => <Versions plan={plan} />}</PlanFrame>;
}

function Versions({ plan }: { readonly plan: Dto['TrackingPlanDto'] }): ReactNode {
  return (
    <Answered query={useVersions(plan.id)}>
      {(versions) => (
        <LongTable
          label="Versions"
          columns={columns(plan)}
          rows={versions}
          rowKey={({ version }) => String(version)}
          empty="No version is kept."
        />
      )}
    </Answered>
  );
}

function columns({
  id,
  version: current,
}: Dto['TrackingPlanDto']): readonly Column<Dto['TrackingPlanVersionSummaryDto']>[] {
  return [
    {
      title: 'Version',
      cell: ({ version }) => <To href={`/tracking-plans/${id}/versions/${version}`}>Version {version}</To>,
    },
    { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'State',
      cell: ({ version }) => version === current && <StatusBadge tone="good">In force</StatusBadge>,
    },
  ];
}
