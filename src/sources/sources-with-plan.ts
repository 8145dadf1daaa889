import type { Tx } from '../platform/database/database';

const sourcesWithPlanSql = 'select id, name from source where tracking_plan_id = $1 order by name, id';

/** The sources whose events a tracking plan checks. */
export function sourcesWithPlan(planId: string, tx: Tx): Promise<{ id: string; name: string }[]> {
  return tx.query<{ id: string; name: string }>(sourcesWithPlanSql, [planId]);
}
