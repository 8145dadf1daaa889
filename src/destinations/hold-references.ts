import type { Tx } from '../platform/database/database';
import { InputProblems } from '../platform/http/input/input-problems';
import { holdRevision } from '../segments/definitions/revision';
import { holdSources } from '../sources/existing-sources';
import { noteUnknownSources, type RoutingInput } from './destination-routing';
import { parseFilter } from './filter/parse-filter';
import { checkSegments } from './filter/read-given-filter';

/**
 * Keeps the sources and segments that a destination names from being deleted until the transaction ends. First in it:
 * whoever changes a segment waits for it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function holdReferences({ sources, filter }: RoutingInput, tx: Tx): Promise<void> {
  const problems = new InputProblems();
  await holdSegments(filter, tx, problems);
  noteUnknownSources(sources ?? [], await holdSources(sources ?? [], tx), problems);
  problems.refuse();
}

async function holdSegments(filter: RoutingInput['filter'], tx: Tx, problems: InputProblems): Promise<void> {
  const parsed = filter === null || filter === undefined ? undefined : parseFilter(filter);
  if (parsed?.ok !== true || parsed.filter.segments === undefined) return;
  await holdRevision(tx);
  await checkSegments(parsed.filter, tx, problems);
}
