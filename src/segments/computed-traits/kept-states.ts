import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';
import { isNeededSql } from './trait-uses';

export const VALUE_STATES = ['counted', 'computing', 'kept'] as const;
/**
 * Whether the values of a computed trait are counted whenever somebody asks, or kept up to date with each event, because a
 * destination needs them; `computing`: they are not there for everybody yet, and counted until then.
 */
export type ValueState = (typeof VALUE_STATES)[number];

const readStatesSql = prepared('computed_states')`
    select c.id as "traitId", coalesce(k.state, 'computing') = 'computing' as computing from computed_trait c
    left join kept_trait k on k.trait_id = c.id and k.definition = c.definition and k.state <> 'discarding'
    where ${isNeededSql}`;

/** Of computed traits by id: those that are not counted. */
export async function readValueStates(tx: Tx): Promise<ReadonlyMap<string, ValueState>> {
  const rows = await tx.query<{ traitId: string; computing: boolean }>(readStatesSql);
  return new Map(rows.map(({ traitId, computing }) => [traitId, computing ? 'computing' : 'kept']));
}
