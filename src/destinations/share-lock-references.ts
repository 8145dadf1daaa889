import type { Tx } from '../platform/database/database';
import { InputProblems } from '../platform/http/input/input-problems';
import { shareLockRevision } from '../segments/definitions/revision';
import { shareLockSources } from '../sources/existing-sources';
import { shareLockTransformation } from '../transformations/transformation-code';
import { noteUnknownSources, noteUnknownTransformation, type RoutingInput } from './destination-routing';
import { parseFilter } from './filter/parse-filter';
import { checkSegments } from './filter/read-given-filter';

/**
 * Keeps the sources, the segments and the transformation that a destination names from being deleted until the
 * transaction ends. First in it: whoever changes a segment waits for it.
 * @throws InvalidRequestError when one was deleted at the last moment
 */
export async function shareLockReferences(
  { sources, filter, transformationId: id }: RoutingInput,
  tx: Tx,
): Promise<void> {
  const problems = new InputProblems();
  await shareLockSegments(filter, tx, problems);
  noteUnknownSources(sources ?? [], await shareLockSources(sources ?? [], tx), problems);
  if (typeof id === 'string' && !(await shareLockTransformation(id, tx))) noteUnknownTransformation(problems);
  problems.refuse();
}

async function shareLockSegments(
  filter: RoutingInput['filter'],
  tx: Tx,
  problems: InputProblems,
): Promise<void> {
  const parsed = filter === null || filter === undefined ? undefined : parseFilter(filter);
  if (parsed?.ok !== true || parsed.filter.segments === undefined) return;
  await shareLockRevision(tx);
  await checkSegments(parsed.filter, tx, problems);
}
