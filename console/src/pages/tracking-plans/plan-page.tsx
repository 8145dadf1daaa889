import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSources } from '../../api/all-of';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { ConfirmButton } from '../../shared/confirm-button';
import { JsonView } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { ButtonTo } from '../../shared/to';
import { useDeleted } from '../../shared/use-deleted';
import { UsedBy, dependentsOf } from '../../shared/used-by';
import { contentOf } from './plan-content';
import { PlanFrame } from './plan-frame';
import { Violations } from './violations';

/** One tracking plan: what it asks of events, and in what they differ from it. */
export function PlanPage(): ReactNode {
  const mayWrite = useCan('write');
  return (
    <PlanFrame actions={(plan) => mayWrite && <PlanActions plan={plan} />}>
      {(plan) => (
        <>
          {plan.description !== '' && <Text>{plan.description}</Text>}
          <Text size="sm" component="div">
            Version {plan.version}, changed <Time at={plan.updatedAt} />.
          </Text>
          <Violations planId={plan.id} />
          <Section title="Rules">
            <JsonView name="the rules" value={contentOf(plan)} />
          </Section>
          <Sources planId={plan.id} />
        </>
      )}
    </PlanFrame>
  );
}

/** Whose events it checks. */
function Sources({ planId }: { readonly planId: string }): ReactNode {
  const sources = useSources();
  const checked = (sources.data ?? []).filter(({ trackingPlanId }) => trackingPlanId === planId);
  return <UsedBy queries={[sources]} dependents={dependentsOf('Source', checked)} />;
}

function PlanActions({ plan: { id, name } }: { readonly plan: Dto['TrackingPlanDto'] }): ReactNode {
  const forget = useDeleted('tracking-plans');
  return (
    <>
      <ButtonTo href={`/tracking-plans/${id}/edit`}>Edit</ButtonTo>
      <ConfirmButton
        label="Delete"
        consequence={`“${name}” is deleted with its versions. A plan that a source has cannot be deleted.`}
        action={() => bodyOf(api.DELETE('/tracking-plans/{id}', { params: { path: { id } } }))}
        onDone={() => forget(id)}
      />
    </>
  );
}
