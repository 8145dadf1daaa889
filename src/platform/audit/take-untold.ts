import type { Tx } from '../database/database';
import { prepared } from '../database/statements/prepared';
import { nameInEntrySql } from './name-in-entry';

/** A change that operators may be told of. */
export interface UntoldChange {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly actorKind: string | null;
  readonly action: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly resourceName: string | null;
  /** Secrets masked, both. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A query that says whether there is one. */
export const isAnyUntoldSql = 'select exists (select from audit_entry where untold is not null)';

const takeUntoldSql = prepared('take_untold_changes')`
  with taken as (
    select id from audit_entry where untold is not null order by id limit $1 for update skip locked
  ), told as (
    update audit_entry a set untold = null where a.id = any(array(select id from taken))
    returning a.id, a.at, a.actor, a.actor_kind as "actorKind", a.action, a.resource, a.resource_id as "resourceId",
      ${nameInEntrySql} as "resourceName", a.before, a.after
  )
  select * from told order by id`;

/** At most `limit` changes, oldest first; each is taken by one transaction. */
export function takeUntoldChanges(limit: number, tx: Tx): Promise<UntoldChange[]> {
  return tx.query<UntoldChange>(takeUntoldSql, [limit]);
}
