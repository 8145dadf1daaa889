import type { Tx } from '../database/database';
import type { AuditedChange } from './audited-actions';

const readNewestSql = `
  select after from audit_entry where resource = $1 and resource_id = $2 and action = $3 order by id desc limit 1`;

/** What the newest entry of this action says of afterwards; undefined without one. */
export async function readNewestChange(
  { action, resource }: AuditedChange,
  resourceId: string,
  tx: Tx,
): Promise<object | undefined> {
  const [row] = await tx.query<{ after: object | null }>(readNewestSql, [resource, resourceId, action]);
  return row?.after ?? undefined;
}
