import type { Tx } from '../../platform/database/database';
import type { KeptTrait } from '../computed-traits/kept-traits';
import { updateValues } from '../computed-traits/update-values';
import type { PersonChange } from './person-change';
import { readMeasures } from './read-measures';
import { type MembershipWork, updateMemberships } from './update-memberships';

/** A profile, the definitions to evaluate it against, and the computed traits whose values to keep. */
export interface PersonWork extends MembershipWork {
  readonly traits: readonly KeptTrait[];
}

/**
 * Evaluates profiles that the transaction keeps others from, and keeps the values of computed traits. What both look at
 * in stored events is read once.
 * @param now PostgreSQL's time, as it writes it.
 */
export async function updatePeople(
  work: readonly PersonWork[],
  now: string,
  tx: Tx,
): Promise<PersonChange[]> {
  if (work.length === 0) return [];
  const measured = work.map(({ facts, generations, traits }) => ({
    facts,
    generations: traits.length === 0 ? generations : [...generations, ...traits],
  }));
  const reading = readMeasures(measured, Date.parse(now), tx);
  const evaluated = work.filter(({ generations }) => generations.length > 0);
  const [measures, moved] = await Promise.all([reading, updateMemberships(evaluated, reading, now, tx)]);
  const valued = work.filter(({ traits }) => traits.length > 0);
  return [...moved, ...(await updateValues(valued, measures, now, tx))];
}
