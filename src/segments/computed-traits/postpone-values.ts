import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { asJsonb, type ValuesWork } from './update-values';

// Who has no value yet gets that of no events.
const postponeValuesSql = prepared('computed_postpone_values')`
  insert into computed_value as v (subject, generation, value, due_at)
  select subject, generation, nothing::jsonb, $4::timestamptz
  from unnest($1::text[], $2::integer[], $3::text[]) as w (subject, generation, nothing) order by subject, generation
  on conflict (subject, generation) do update set due_at = excluded.due_at
  where v.due_at is null or v.due_at > excluded.due_at`;

/**
 * Makes the values of people due, so that the upkeep counts them within seconds.
 * @param now PostgreSQL's time, as it writes it.
 */
export async function postponeValues(work: readonly ValuesWork[], now: string, tx: Tx): Promise<void> {
  const values = work.flatMap(({ facts: { subject }, traits }) =>
    traits.map(({ generation, nothing }) => ({ subject, generation, nothing })),
  );
  if (values.length === 0) return;
  await tx.query(postponeValuesSql, [
    values.map(({ subject }) => subject),
    values.map(({ generation }) => generation),
    values.map(({ nothing }) => asJsonb(nothing)),
    now,
  ]);
}
