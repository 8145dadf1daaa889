import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const forgetValuesSql = prepared('computed_forget_values')`
    with gone as (delete from computed_value where subject = any($1::text[]) returning generation)
    select count(*)::integer as forgotten from gone
    join kept_trait k on k.generation = gone.generation and k.state <> 'discarding'`;
/** They are not looked at any more. */
const forgetLeftOutSql = prepared('computed_forget_left_out')`
    update kept_trait set left_out = array(select unnest(left_out) except select unnest($1::text[]))
    where left_out && $1::text[]`;

/**
 * Removes what is kept of people who were merged into others. Nothing is told: the others have their values now.
 * @returns how many values there were, as an export lists them
 */
export async function forgetValues(subjects: readonly Subject[], tx: Tx): Promise<number> {
  const [row] = await tx.query<{ forgotten: number }>(forgetValuesSql, [subjects]);
  return row?.forgotten ?? 0;
}

/**
 * Removes what is kept of people who are erased. The caller keeps the upkeep of segments out.
 * @returns as {@link forgetValues}
 */
export async function forgetErasedValues(subjects: readonly Subject[], tx: Tx): Promise<number> {
  const forgotten = await forgetValues(subjects, tx);
  await tx.query(forgetLeftOutSql, [subjects]);
  return forgotten;
}
