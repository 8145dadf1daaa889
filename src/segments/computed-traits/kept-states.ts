import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/prepared';

export const VALUE_STATES = ['counted', 'computing', 'kept'] as const;
/**
 * Whether the values of a computed trait are counted whenever somebody asks, or kept up to date with each event, because a
 * destination needs them; `computing`: they are not there for everybody yet, and counted until then.
 */
export type ValueState = (typeof VALUE_STATES)[number];

const readStatesSql = prepared('computed_states')`
    select k.trait_id as "traitId", k.state = 'computing' as computing
    from kept_trait k join computed_trait c on c.id = k.trait_id and c.definition = k.definition
    where k.state <> 'discarding'`;

/** Of computed traits by id: those that are not counted. */
export async function readValueStates(tx: Tx): Promise<ReadonlyMap<string, ValueState>> {
  const rows = await tx.query<{ traitId: string; computing: boolean }>(readStatesSql);
  return new Map(rows.map(({ traitId, computing }) => [traitId, computing ? 'computing' : 'kept']));
}
