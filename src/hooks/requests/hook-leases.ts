import type { Subject } from '../../events/customer-event';
import type { RejectedProblem } from '../../events/rejected/keep-rejected-events';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** A lease that was not renewed by then was that of a worker that is gone. */
const LEASE_SECONDS = 60;

/** A request that this process has leased. */
export interface HookRequest {
  /** Its time is that of reception. */
  readonly id: string;
  readonly sourceId: string;
  readonly sentId: string | null;
  readonly request: string;
  /** The number of this lease, in the column `turns`: by it the lease is ended. */
  readonly lease: number;
}

/** The lease of a request. */
export type HookLease = Pick<HookRequest, 'id' | 'lease'>;

/** Why a request has failed. */
export interface HookFailure {
  /** Of the first problem. */
  readonly code: string;
  readonly problems: readonly RejectedProblem[];
  /** Whom its events name, as far as there are any. */
  readonly subjects: readonly Subject[];
  /** Whose they are. */
  readonly owners: readonly Subject[];
}

/** Of a source at a time: what is made of them is stored by one commit. */
const MAX_REQUESTS = 20;
const MAX_BYTES = 1024 * 1024;

export const anyDueSql = `
  select exists (select from hook_request where waiting and turns = 0)
    or exists (select from hook_request where waiting and turns > 0 and due_at <= statement_timestamp())`;

/** One look at the index for each source, however many requests it has. */
const sourcesSql = prepared('find_waiting_hook_sources')`
    with recursive found(source_id) as (
      (select source_id from hook_request where waiting and turns = 0 order by source_id limit 1)
      union all
      select next.source_id from found cross join lateral (
        select source_id from hook_request
        where waiting and turns = 0 and source_id > found.source_id order by source_id limit 1
      ) as next
    )
    select source_id as "sourceId" from found`;

const leaseSql = (name: string, ids: string) => prepared(name)`
    update hook_request set turns = turns + 1, due_at = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
    where id in (${ids})
    returning id, source_id as "sourceId", sent_id as "sentId", request, turns as lease`;
const leaseWaitingSql = leaseSql(
  'lease_waiting_hook_requests',
  `select id from (
     select id, bytes, sum(bytes) over (order by id) as up_to_it from (
       select id, bytes from hook_request where source_id = $1 and waiting and turns = 0
       order by id limit ${MAX_REQUESTS} for update skip locked
     ) as locked
   ) as oldest where up_to_it - bytes < ${MAX_BYTES}`,
);
const leaseLostSql = leaseSql(
  'lease_lost_hook_request',
  `select id from hook_request where waiting and turns > 0 and due_at <= statement_timestamp()
   order by due_at limit 1 for update skip locked`,
);

const leasesSql = 'unnest($1::uuid[], $2::int[]) as e(id, lease)';
const isLeasedSql = 'r.id = e.id and r.turns = e.lease and r.waiting';
const renewSql = prepared('renew_hook_leases')`
    update hook_request as r set due_at = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
    from ${leasesSql} where ${isLeasedSql}`;
const giveBackSql = prepared('give_hook_leases_back')`
    update hook_request as r set turns = r.turns - 1, due_at = statement_timestamp() from ${leasesSql} where ${isLeasedSql}`;
const deleteSql = prepared('delete_leased_hook_requests')`
    delete from hook_request as r using ${leasesSql} where ${isLeasedSql} returning r.id`;
// Whom it named when it failed before, by other code, it still names.
const failSql = prepared('fail_leased_hook_request')`
    update hook_request set waiting = false, code = $3, problems = $4,
      subjects = array(select distinct unnest(subjects || $5::text[]))
    where id = $1 and turns = $2 and waiting
    returning id`;

/** Sources of which requests wait for their first lease. */
export async function findWaitingSources(tx: Tx): Promise<string[]> {
  return (await tx.query<{ sourceId: string }>(sourcesSql)).map(({ sourceId }) => sourceId);
}

/** Leases the oldest requests of a source for the first time. */
export async function leaseWaitingRequests(sourceId: string, tx: Tx): Promise<HookRequest[]> {
  const requests = await tx.query<HookRequest>(leaseWaitingSql, [sourceId]);
  return requests.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Leases a request again whose lease has run out: one, for it may be what has killed its worker. */
export function leaseLostRequest(tx: Tx): Promise<HookRequest[]> {
  return tx.query<HookRequest>(leaseLostSql);
}

/** Has leases last as if they began now. */
export async function renewLeases(requests: readonly HookRequest[], tx: Tx): Promise<void> {
  await tx.query(renewSql, valuesOf(requests));
}

/** Ends leases as if they had not begun. */
export async function giveLeasesBack(requests: readonly HookLease[], tx: Tx): Promise<void> {
  await tx.query(giveBackSql, valuesOf(requests));
}

/** Deletes requests that are done. @returns the ids of those that were still leased */
export async function deleteLeasedRequests(
  requests: readonly HookRequest[],
  tx: Tx,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(deleteSql, valuesOf(requests));
  return new Set(rows.map(({ id }) => id));
}

/** Has a request wait for people. @returns whether it was still leased */
export async function failLeasedRequest(
  { id, lease }: HookRequest,
  { code, problems, subjects }: HookFailure,
  tx: Tx,
): Promise<boolean> {
  const values = [id, lease, code, JSON.stringify(problems), subjects];
  return (await tx.query(failSql, values)).length > 0;
}

function valuesOf(requests: readonly HookLease[]): unknown[] {
  return [requests.map(({ id }) => id), requests.map(({ lease }) => lease)];
}
