import type { Tx } from '../../../platform/database/database';
import { prepared } from '../../../platform/database/statements/prepared';

const STEP_VALUES = 5_000;
/** How long to leave rows alone that others have locked. */
const RETRY_AFTER_MS = 50;

const claimSql = prepared('computed_claim_discard')`
    select generation from kept_trait where state = 'discarding' and run_after <= statement_timestamp()
    order by generation limit 1 for update skip locked`;
/** Who merges people removes theirs at the same time: neither waits for the other with rows in hand. */
const discardSql = prepared('computed_discard')`
    with useless as (
      select subject from computed_value where generation = $1 limit ${STEP_VALUES} for update skip locked
    )
    delete from computed_value v using useless u where v.subject = u.subject and v.generation = $1
    returning v.subject`;
const finishSql = prepared('computed_finish_discard')`
    delete from kept_trait where generation = $1
      and not exists (select from computed_value where generation = $1)`;
const waitSql = prepared('computed_wait_to_discard')`
    update kept_trait set run_after = statement_timestamp() + interval '${RETRY_AFTER_MS} milliseconds'
    where generation = $1`;

/** Removes the next values that nobody needs any more. Returns whether there were any to look for. */
export async function discardValues(tx: Tx): Promise<boolean> {
  const [next] = await tx.query<{ generation: number }>(claimSql);
  if (next === undefined) return false;
  const removed = await tx.query(discardSql, [next.generation]);
  if (removed.length > 0) return true;
  await tx.query(waitSql, [next.generation]);
  await tx.query(finishSql, [next.generation]);
  return true;
}
