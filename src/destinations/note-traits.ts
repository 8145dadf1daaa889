import type { Tx } from '../platform/database/database';
import { InvalidRequestError } from '../platform/http/problems/problem';
import { noteTraitUse } from '../segments/computed-traits/trait-uses';
import type { Destination } from './destination.entity';
import type { Notice } from './destination-notices';
import { computedTraitsOf } from './filter/filter';
import { parseFilter } from './filter/parse-filter';

const TRAIT_CHANGED: Notice = 'trait_changed';

/**
 * Says which computed traits a destination needs kept, in the transaction that changes it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function noteTraits(
  { id, filter, notices }: Pick<Destination, 'id' | 'filter' | 'notices'>,
  tx: Tx,
): Promise<void> {
  const parsed = filter === null ? undefined : parseFilter(filter);
  const names = parsed?.ok === true ? computedTraitsOf(parsed.filter) : [];
  const unknown = await noteTraitUse(id, { names, ofAll: notices.includes(TRAIT_CHANGED) }, tx);
  if (unknown.length === 0) return;
  const message = `There is no computed trait of this name: ${unknown.join(', ')}.`;
  throw new InvalidRequestError([{ path: 'filter', code: 'unknown_computed_trait', message }]);
}
