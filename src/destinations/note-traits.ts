import type { Tx } from '../platform/database/database';
import { InvalidRequestError } from '../platform/http/problems/problem';
import { noteTraitUse } from '../segments/computed-traits/trait-uses';
import type { Destination } from './destination.entity';
import { computedTraitsOf } from './filter/filter';
import { parseFilter } from './filter/parse-filter';
import { toldTraitsOf } from './notice-traits';

/**
 * Says which computed traits a destination needs kept, in the transaction that changes it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function noteTraits(
  destination: Pick<Destination, 'id' | 'filter' | 'notices' | 'noticeTraits'>,
  tx: Tx,
): Promise<void> {
  const { id, filter } = destination;
  const parsed = filter === null ? undefined : parseFilter(filter);
  const inFilter = parsed?.ok === true ? computedTraitsOf(parsed.filter) : [];
  const told = toldTraitsOf(destination);
  const names = [...new Set([...inFilter, ...(told === 'all' ? [] : told)])];
  const unknown = await noteTraitUse(id, { names, ofAll: told === 'all' }, tx);
  if (unknown.length === 0) return;
  const message = `There is no computed trait of this name: ${unknown.join(', ')}.`;
  const path = unknown.some((name) => inFilter.includes(name)) ? 'filter' : 'noticeTraits';
  throw new InvalidRequestError([{ path, code: 'unknown_computed_trait', message }]);
}
