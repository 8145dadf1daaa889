import type { Tx } from '../platform/database/database';
import { MAX_VERSIONS, type VersionEntry } from '../platform/database/resources/versions';
import { prepared } from '../platform/database/statements/prepared';
import type { PlanContent } from './language/plan';

/** A plan as it was, or is. */
export interface PlanVersion extends VersionEntry {
  readonly content: VersionedContent;
}

export interface VersionedContent extends PlanContent {
  readonly name: string;
  readonly description: string;
}

const writeVersionSql = `
  with dropped as (
    delete from tracking_plan_version where plan_id = $1 and version <= $2 - ${MAX_VERSIONS}
  )
  insert into tracking_plan_version (plan_id, version, content) values ($1, $2, $3)`;

const listVersionsSql = `
  select version, created_at as "createdAt" from tracking_plan_version where plan_id = $1
  order by version desc`;

const readVersionSql = prepared('read_tracking_plan_version')`
  select version, created_at as "createdAt", content from tracking_plan_version
  where plan_id = $1 and version = $2`;

/** Writes down a version, once and for ever: each event that it judges names it. */
export async function writeVersion(
  planId: string,
  version: number,
  content: VersionedContent,
  tx: Tx,
): Promise<void> {
  await tx.query(writeVersionSql, [planId, version, JSON.stringify(content)]);
}

/** Newest first. */
export function listVersions(planId: string, tx: Tx): Promise<VersionEntry[]> {
  return tx.query<VersionEntry>(listVersionsSql, [planId]);
}

export async function readVersion(planId: string, version: number, tx: Tx): Promise<PlanVersion | undefined> {
  const [row] = await tx.query<PlanVersion>(readVersionSql, [planId, version]);
  return row;
}
