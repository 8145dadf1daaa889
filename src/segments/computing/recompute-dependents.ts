import { LostRaceError } from '../../platform/database/failure';
import type { Tx } from '../../platform/database/database';
import { directDependentsOf } from '../definitions/segment-references';
import { addStart, dropComputation, type NewDefinition } from './segment-tasks';

const lockSegmentsSql = 'select id from segment where id = any($1::uuid[]) order by id for update';
const newGenerationsSql = `
  select nextval('segment_generation_seq')::integer as generation from generate_series(1, $1::integer)`;
const redefineSql = `
  update segment s set
    live_match = case when live_generation = s.generation then match else live_match end,
    live_rules = case when live_generation = s.generation then rules else live_rules end,
    generation = next.generation, state = 'computing', failure = null
  from unnest($1::uuid[], $2::integer[]) as next (id, generation)
  where s.id = next.id
  returning s.id, s.generation, live_generation as "liveGeneration"`;

/**
 * Holds the segments that ask about one whose members are about to become others, and gives up what is being computed
 * of them. Before the lock of all evaluations: steps under way are waited for.
 */
export async function lockDependents(segmentId: string, tx: Tx): Promise<readonly string[]> {
  const ids = await directDependentsOf(segmentId, tx);
  if (ids.length === 0) return ids;
  await tx.query(lockSegmentsSql, [ids]);
  for (const id of ids) await dropComputation(id, tx);
  return ids;
}

/**
 * Has those segments computed anew, in the background and with the lock of all evaluations held. Until then they keep
 * their members, but for those whom events and windows look at.
 *
 * @throws LostRaceError when another one asks about it by now; to be tried again
 */
export async function recomputeDependents(
  segmentId: string,
  locked: readonly string[],
  tx: Tx,
): Promise<void> {
  const ids = await directDependentsOf(segmentId, tx);
  if (ids.some((id) => !locked.includes(id))) throw new LostRaceError('Another segment asks about it now.');
  if (locked.length === 0) return;
  const generations = await tx.query<{ generation: number }>(newGenerationsSql, [locked.length]);
  const redefined = await tx.query<NewDefinition>(redefineSql, [
    locked,
    generations.map(({ generation }) => generation),
  ]);
  for (const segment of redefined) await addStart(segment, tx);
}
