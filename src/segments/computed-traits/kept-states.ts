import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { sharesUpTo } from '../../profiles/reading/shares-up-to';
import { isNeededSql } from './trait-uses';

export const VALUE_STATES = ['counted', 'computing', 'kept'] as const;
/**
 * Whether the values of a computed trait are counted whenever somebody asks, or kept up to date with each event,
 * because a destination needs them; `computing`: they are not there for everybody yet, and counted until then.
 */
export type ValueState = (typeof VALUE_STATES)[number];

/** How the values of a computed trait are had, and how far that is. */
export interface KeptState {
  readonly values: ValueState;
  /** 0 to 1: for which part of the people they are computed, about. */
  readonly progress: number;
}

/** Of one that nobody needs. */
export const COUNTED: KeptState = { values: 'counted', progress: 1 };

const readStatesSql = prepared('computed_states')`
    select c.id as "traitId", coalesce(k.state, 'computing') = 'computing' as computing,
      coalesce(k.cursor, '') as cursor
    from computed_trait c
    left join kept_trait k on k.trait_id = c.id and k.definition = c.definition and k.state <> 'discarding'
    where ${isNeededSql}`;

interface StateRow {
  readonly traitId: string;
  readonly computing: boolean;
  /** The last person for whom it is done. */
  readonly cursor: string;
}

/** Of computed traits by id: those that are not counted. */
export async function readValueStates(tx: Tx): Promise<ReadonlyMap<string, KeptState>> {
  const rows = await tx.query<StateRow>(readStatesSql);
  const cursors = rows.filter(({ computing }) => computing).map(({ cursor }) => cursor);
  const shares = await sharesUpTo(cursors, tx);
  return new Map(
    rows.map(({ traitId, computing, cursor }) => [
      traitId,
      computing
        ? { values: 'computing', progress: shares.get(cursor) ?? 0 }
        : { values: 'kept', progress: 1 },
    ]),
  );
}
