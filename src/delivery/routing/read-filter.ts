import type { ParsedFilter } from '../../destinations/filter/filter';
import { readGivenFilter } from '../../destinations/filter/read-given-filter';
import type { JsonObject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { InputProblems } from '../../platform/http/input/input-problems';

/** A filter that is tried out; undefined lets everything pass. @throws InvalidRequestError */
export async function readFilter(
  filter: JsonObject | null | undefined,
  tx: Tx,
): Promise<ParsedFilter | undefined> {
  if (filter === null || filter === undefined) return undefined;
  const problems = new InputProblems();
  const read = await readGivenFilter(filter, tx, problems);
  problems.refuse();
  return read;
}
