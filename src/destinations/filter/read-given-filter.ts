import type { InputProblems } from '../../platform/http/input/input-problems';
import { unknownId } from '../../platform/http/input/unknown-id';
import type { Tx } from '../../platform/database/database';
import { readNamedMeasures } from '../../segments/computed-traits/read-named-measures';
import { existingSegments } from '../../segments/definitions/segment-references';
import type { ParsedFilter } from './filter';
import { parseFilter } from './parse-filter';

/** A filter as a client gives it, to keep it or to try it: the segments and computed traits that it names are there. */
export async function readGivenFilter(
  input: unknown,
  tx: Tx,
  problems: InputProblems,
): Promise<ParsedFilter | undefined> {
  const result = parseFilter(input, await readNamedMeasures(tx));
  if (!result.ok) {
    problems.failAll(result.errors);
    return undefined;
  }
  await checkSegments(result.filter, tx, problems);
  return result.filter;
}

/** The segments that a filter names are to be there. */
export async function checkSegments(
  { segments = [] }: ParsedFilter,
  tx: Tx,
  problems: InputProblems,
): Promise<void> {
  const existing = await existingSegments(segments, tx);
  for (const [index, id] of segments.entries()) {
    if (existing.has(id)) continue;
    problems.failAll([unknownId(`filter.segments[${index}]`, 'segment')]);
  }
}
