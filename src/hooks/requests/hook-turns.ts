import type { Subject } from '../../events/customer-event';
import type { RejectedProblem } from '../../events/rejected/keep-rejected-events';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';

/** A turn that has not ended by then was that of a worker that is gone. */
const TURN_SECONDS = 60;

/** A request whose turn it is. */
export interface HookRequest extends Record<string, unknown> {
  /** Its time is that of reception. */
  readonly id: string;
  readonly sourceId: string;
  readonly sentId: string | null;
  readonly request: string;
  /** The number of this turn, by which it is ended. */
  readonly turns: number;
}

/** Why a request has failed. */
export interface HookFailure {
  /** Of the first problem. */
  readonly code: string;
  readonly problems: readonly RejectedProblem[];
  /** Whom its events name, as far as there are any. */
  readonly subjects: readonly Subject[];
}

export const anyDueSql =
  'select exists (select from hook_request where waiting and due_at <= clock_timestamp())';

const beginSql = (name: string, condition: string, limit: number) => prepared(name)`
    update hook_request set turns = turns + 1, due_at = clock_timestamp() + interval '${TURN_SECONDS} seconds'
    where id in (
      select id from hook_request where waiting and due_at <= clock_timestamp() and ${condition}
      order by due_at limit ${limit} for update skip locked
    )
    returning id, source_id as "sourceId", sent_id as "sentId", request, turns`;
const beginFirstSql = beginSql('begin_first_hook_turns', 'turns = 0', 20);
/** Alone: it may be what has killed its worker, and all that was with it. */
const beginAnotherSql = beginSql('begin_another_hook_turn', 'turns > 0', 1);

const endSql = prepared('end_hook_turns')`
    delete from hook_request as r using unnest($1::uuid[], $2::int[]) as e(id, turns)
    where r.id = e.id and r.turns = e.turns and r.waiting
    returning r.id`;
const failSql = prepared('fail_hook_turn')`
    update hook_request set waiting = false, code = $3, problems = $4, subjects = $5
    where id = $1 and turns = $2 and waiting
    returning id`;

/** Begins the turns of some requests that wait; others do not get them meanwhile. */
export async function beginHookTurns(tx: Tx): Promise<HookRequest[]> {
  const first = await tx.query<HookRequest>(beginFirstSql);
  return first.length > 0 ? first : tx.query<HookRequest>(beginAnotherSql);
}

/** Deletes requests that are done. @returns the ids of those whose turn it still was */
export async function endHookTurns(requests: readonly HookRequest[], tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(endSql, [
    requests.map(({ id }) => id),
    requests.map(({ turns }) => turns),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Has a request wait for people. @returns whether it still was its turn */
export async function failHookTurn(
  { id, turns }: HookRequest,
  { code, problems, subjects }: HookFailure,
  tx: Tx,
): Promise<boolean> {
  const values = [id, turns, code, JSON.stringify(problems), subjects];
  return (await tx.query(failSql, values)).length > 0;
}
