import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { LookedAt, type LookBack, LookingBack } from './looking-back';

type Inferred = Dto['InferredPlanDto'];

interface InferPlanProps {
  readonly onInferred: (plan: Inferred['plan']) => void;
}

/** Learns a first plan from what a source has sent. */
export function InferPlan({ onInferred }: InferPlanProps): ReactNode {
  const infer = async (body: LookBack): Promise<Inferred> => {
    const inferred = await bodyOf(api.POST('/tracking-plans/infer', { body }));
    if (inferred.events > 0) onInferred(inferred.plan);
    return inferred;
  };
  return (
    <LookingBack action="Learn the rules from its events" look={infer}>
      {(inferred) => (
        <LookedAt looked={inferred}>
          The rules below are learned from {inferred.events.toLocaleString()} events, which all pass them.
          Read them before you create the plan: what was always there by chance is required as well.
        </LookedAt>
      )}
    </LookingBack>
  );
}
