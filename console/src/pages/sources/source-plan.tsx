import { NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nameOf, useTrackingPlans } from '../../api/all-of';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { ProblemAlert } from '../../shared/problem-alert';
import { To } from '../../shared/to';

type Source = Dto['SourceDto'];
type Plan = Dto['TrackingPlanSummaryDto'];

/** The tracking plan that the events of a source are checked by. */
export function SourcePlan({ source }: { readonly source: Source }): ReactNode {
  const { trackingPlanId } = source;
  const mayWrite = useCan('write');
  return (
    <Answered query={useTrackingPlans()}>
      {(known) => (
        <Stack gap="xs">
          <Text size="sm" component="div">
            {trackingPlanId === null ? (
              <>
                Its events are checked by no tracking plan.{' '}
                {mayWrite && (
                  <To href={`/tracking-plans/new?${new URLSearchParams({ sourceId: source.id }).toString()}`}>
                    Make one of what it has sent
                  </To>
                )}
              </>
            ) : (
              <>
                Its events are checked by{' '}
                <To href={`/tracking-plans/${trackingPlanId}`}>{nameOf(known, trackingPlanId)}</To>.
              </>
            )}
          </Text>
          {mayWrite && known.length > 0 && <ChoosePlan source={source} plans={known} />}
        </Stack>
      )}
    </Answered>
  );
}

interface ChoosePlanProps {
  readonly source: Source;
  readonly plans: readonly Plan[];
}

function ChoosePlan({ source: { id, trackingPlanId }, plans }: ChoosePlanProps): ReactNode {
  const queries = useQueryClient();
  const attach = useMutation({
    mutationFn: (chosen: string | null) =>
      bodyOf(api.PUT('/sources/{id}', { params: { path: { id } }, body: { trackingPlanId: chosen } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sources'] }),
  });
  return (
    <>
      <NativeSelect
        label="Check them by"
        description="It holds for events from now on."
        maw={480}
        disabled={attach.isPending}
        data={[
          { value: '', label: 'No tracking plan' },
          ...plans.map((plan) => ({ value: plan.id, label: plan.name })),
        ]}
        value={trackingPlanId ?? ''}
        onChange={({ currentTarget: { value } }) => attach.mutate(value === '' ? null : value)}
      />
      {attach.isError && <ProblemAlert error={attach.error} />}
    </>
  );
}
