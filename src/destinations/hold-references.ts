import type { Tx } from '../platform/database/database';
import { InputProblems } from '../platform/http/input/input-problems';
import { holdRevision } from '../segments/definitions/revision';
import { holdSources } from '../sources/existing-sources';
import { holdTransformation } from '../transformations/transformation-code';
import { noteUnknownSources, noteUnknownTransformation, type RoutingInput } from './destination-routing';
import { parseFilter } from './filter/parse-filter';
import { checkSegments } from './filter/read-given-filter';

/**
 * Keeps the sources, the segments and the transformation that a destination names from being deleted until the
 * transaction ends. First in it: whoever changes a segment waits for it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function holdReferences(
  { sources, filter, transformationId: id }: RoutingInput,
  tx: Tx,
): Promise<void> {
  const problems = new InputProblems();
  await holdSegments(filter, tx, problems);
  noteUnknownSources(sources ?? [], await holdSources(sources ?? [], tx), problems);
  if (typeof id === 'string' && !(await holdTransformation(id, tx))) noteUnknownTransformation(problems);
  problems.refuse();
}

async function holdSegments(filter: RoutingInput['filter'], tx: Tx, problems: InputProblems): Promise<void> {
  const parsed = filter === null || filter === undefined ? undefined : parseFilter(filter);
  if (parsed?.ok !== true || parsed.filter.segments === undefined) return;
  await holdRevision(tx);
  await checkSegments(parsed.filter, tx, problems);
}
