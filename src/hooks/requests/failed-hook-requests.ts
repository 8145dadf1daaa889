import { lowestId } from '../../events/partitions/partition-plan';
import type { RejectedProblem } from '../../events/rejected/keep-rejected-events';
import type { Tx } from '../../platform/database/database';

/** A request that has failed. */
export interface FailedHookRequest {
  readonly id: string;
  readonly sourceId: string;
  readonly sentId: string | null;
  readonly problems: RejectedProblem[];
  readonly request: string;
}

/** Which of them are meant. What is undefined is any. */
export interface HookRequestSearch {
  readonly id?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly code?: string | undefined;
  /** Received from here on, and before there. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

/** What is read at a time: a request may be as large as what is received. One is read however large it is. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const searchSql = `
  not waiting and ($1::uuid is null or id = $1) and ($2::uuid is null or source_id = $2) and ($3::text is null or code = $3)
  and ($4::uuid is null or id >= $4) and ($5::uuid is null or id < $5) and ($6::uuid is null or id < $6)`;
/** Are run again by one call: a worker gets through them in minutes. */
const MAX_RUN_AGAIN = 10_000;
/**
 * Oldest first. Not those that others have, unless it is one that is asked for, which may not be said not to be there.
 */
const runAgainSql = ({ id }: HookRequestSearch): string => `
  update hook_request set waiting = true, turns = 0, due_at = statement_timestamp(), code = null, problems = null
  where id in (select id from hook_request where ${searchSql} order by id limit ${MAX_RUN_AGAIN}
    for update ${id === undefined ? 'skip locked' : ''})
  returning 1`;

/** @returns the newest ones first; fewer than there are up to the limit where they are large: `more` tells */
export async function findFailedHookRequests(
  search: HookRequestSearch,
  limit: number,
  tx: Tx,
): Promise<{ readonly found: FailedHookRequest[]; readonly more: boolean }> {
  const rows = await tx.query<FailedHookRequest & { readonly isLast: boolean }>(
    `select r.id, source_id as "sourceId", sent_id as "sentId", problems, request, page.next is null as "isLast"
     from (
       select id, row_number() over newest as place, sum(bytes) over newest - bytes as before, lead(id) over newest as next
       from (
         select id, bytes from hook_request where ${searchSql} order by id desc limit $7 + 1
       ) as matching
       window newest as (order by id desc)
     ) as page join hook_request r on r.id = page.id
     where place <= $7 and before < ${MAX_PAGE_BYTES}
     order by r.id desc`,
    [...valuesOf(search), limit],
  );
  return { found: rows, more: rows.at(-1)?.isLast === false };
}

/** Has them wait for another lease. @returns how many */
export async function runHookRequestsAgain(search: HookRequestSearch, tx: Tx): Promise<number> {
  return (await tx.query(runAgainSql(search), valuesOf(search))).length;
}

/** @returns how many were deleted */
export async function discardHookRequests(search: HookRequestSearch, tx: Tx): Promise<number> {
  const rows = await tx.query(`delete from hook_request where ${searchSql} returning 1`, valuesOf(search));
  return rows.length;
}

/** @returns at most {@link MAX_RUN_AGAIN}, of which there may be more */
export async function countFailedHookRequests(search: HookRequestSearch, tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from (select from hook_request where ${searchSql} limit ${MAX_RUN_AGAIN}) failed`,
    valuesOf(search),
  );
  return row?.count ?? 0;
}

/** Deletes some that were received before a time. @returns how many; fewer than `limit` when none are left */
export async function dropHookRequestsBefore(timeMs: number, limit: number, tx: Tx): Promise<number> {
  const rows = await tx.query(
    `delete from hook_request where id in (
       select id from hook_request where not waiting and id < $1 order by id limit $2) returning 1`,
    [lowestId(timeMs), limit],
  );
  return rows.length;
}

function valuesOf({ id, sourceId, code, from, to, cursor }: HookRequestSearch): unknown[] {
  const [fromId, toId] = [from, to].map((time) => (time === undefined ? null : lowestId(Date.parse(time))));
  return [id ?? null, sourceId ?? null, code ?? null, fromId, toId, cursor ?? null];
}
