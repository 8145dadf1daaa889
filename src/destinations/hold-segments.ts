import type { JsonObject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import { InputProblems } from '../platform/http/input/input-problems';
import { holdRevision } from '../segments/definitions/revision';
import { parseFilter } from './filter/parse-filter';
import { checkSegments } from './filter/read-given-filter';

/**
 * Keeps the segments that a filter names from being deleted until the transaction ends. First in it: whoever changes a
 * segment waits for it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function holdSegments(filter: JsonObject | null | undefined, tx: Tx): Promise<void> {
  const parsed = filter === null || filter === undefined ? undefined : parseFilter(filter);
  if (parsed?.ok !== true || parsed.filter.segments === undefined) return;
  await holdRevision(tx);
  const problems = new InputProblems();
  await checkSegments(parsed.filter, tx, problems);
  problems.refuse();
}
