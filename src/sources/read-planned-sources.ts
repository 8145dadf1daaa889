import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** A source whose events a tracking plan checks. */
interface PlannedSource {
  readonly id: string;
  readonly name: string;
  readonly planId: string;
}

const readPlannedSql = prepared('read_planned_sources')`
  select id, name, tracking_plan_id as "planId" from source
  where id = any($1::uuid[]) and tracking_plan_id is not null`;

/** The sources by id; those that were deleted or have no plan are left out. */
export async function readPlannedSources(
  ids: readonly string[],
  tx: Tx,
): Promise<Map<string, PlannedSource>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<PlannedSource>(readPlannedSql, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, row]));
}
