import type { JsonValue } from '../../../events/customer-event';
import type { Tx } from '../../../platform/database/database';
import { changeRevision } from '../../definitions/revision';
import { valueOfNothing } from '../../rules/measure';
import type { MeasureDefinition } from '../../rules/named-measures';
import { isNeededSql } from '../trait-uses';

/** Nobody needs it any more, or it is of something else by now. */
const isUselessSql = `k.state <> 'discarding' and not exists (
  select from computed_trait c where c.id = k.trait_id and c.definition = k.definition and ${isNeededSql})`;
const isMissingSql = `${isNeededSql}
  and not exists (select from kept_trait k where k.trait_id = c.id and k.state <> 'discarding')`;

/** Whether what is kept is not what is needed, or a trait has been computed for everybody. */
export const areUnsettledSql = `(
  exists (select from kept_trait k where k.state = 'computed' or (${isUselessSql}))
  or exists (select from computed_trait c where ${isMissingSql}))`;

/**
 * Of rows that another process works on there is another look. Nobody waits for a row who has the lock of evaluations.
 */
const lockUnsettledSql = `
  select k.generation, ${isUselessSql} as useless from kept_trait k where k.state = 'computed' or (${isUselessSql})
  order by k.generation for update skip locked`;
const readMissingSql = `select c.id, c.definition from computed_trait c where ${isMissingSql}`;
const setStateSql = `update kept_trait set state = $2, run_after = now() where generation = any($1::integer[])`;
const startSql = `
  insert into kept_trait (trait_id, definition, nothing, state)
  select c.id, c.definition, missing.nothing::jsonb, 'computing'
  from unnest($1::uuid[], $2::text[]) as missing (id, nothing) join computed_trait c on c.id = missing.id`;

interface Unsettled {
  readonly generation: number;
  readonly useless: boolean;
}

interface Missing {
  readonly id: string;
  readonly definition: MeasureDefinition;
}

/**
 * Begins to keep the computed traits that somebody needs by now, gives up those that nobody does, and has changes told
 * of those that are computed for everybody: between any two evaluations. So each evaluation that follows keeps the
 * values of a trait that has begun, and none under way has missed it.
 *
 * @returns whether there was anything to change
 */
export async function settleKeptTraits(tx: Tx): Promise<boolean> {
  const unsettled = await tx.query<Unsettled>(lockUnsettledSql);
  if (unsettled.length === 0 && (await tx.query<Missing>(readMissingSql)).length === 0) return false;
  await changeRevision(tx);
  const generations = (useless: boolean): number[] =>
    unsettled.filter((each) => each.useless === useless).map(({ generation }) => generation);
  await tx.query(setStateSql, [generations(true), 'discarding']);
  await tx.query(setStateSql, [generations(false), 'live']);
  // Alone: another process may have begun with them.
  const missing = await tx.query<Missing>(readMissingSql);
  await tx.query(startSql, [
    missing.map(({ id }) => id),
    missing.map(({ definition }) => JSON.stringify(nothingOf(definition))),
  ]);
  return true;
}

function nothingOf({ aggregate }: MeasureDefinition): JsonValue {
  return valueOfNothing(aggregate) ?? null;
}
