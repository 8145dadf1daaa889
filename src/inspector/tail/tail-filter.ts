import type { ParsedFilter } from '../../destinations/filter/filter';
import { parseFilter } from '../../destinations/filter/parse-filter';
import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { InputProblems } from '../../platform/http/input/input-problems';
import { demandShallow } from '../../platform/http/input/demand-shallow';
import type { TailQueryDto } from '../dto/tail.dto';

/** What somebody wants to see, in the language of the filters of destinations. */
export interface TailFilter {
  readonly outcome: TailQueryDto['outcome'];
  readonly sources: readonly string[] | undefined;
  /** Undefined lets everything pass. */
  readonly filter: ParsedFilter | undefined;
}

/** @throws InvalidRequestError */
export function readTailFilter(query: TailQueryDto): TailFilter {
  const problems = new InputProblems();
  const filter = joinFilter(query, problems);
  problems.refuse();
  return {
    outcome: query.outcome,
    sources: query.sourceId === undefined ? undefined : [query.sourceId],
    filter,
  };
}

function joinFilter(query: TailQueryDto, problems: InputProblems): ParsedFilter | undefined {
  const given = query.filter === undefined ? {} : parseJson(query.filter, problems);
  if (given === undefined) return undefined;
  demandShallow(given);
  const parts = partsOf(query);
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined) continue;
    if (given[name] !== undefined) {
      problems.fail(
        'filter',
        'given_twice',
        `${name} are given in the filter and as a parameter of their own.`,
      );
    }
    given[name] = part;
  }
  if (Object.keys(given).length === 0) return undefined;
  const result = parseFilter(given);
  if (result.ok) return result.filter;
  problems.failAll(result.errors);
  return undefined;
}

function parseJson(text: string, problems: InputProblems): JsonObject | undefined {
  try {
    const given: unknown = JSON.parse(text);
    if (isJsonObject(given)) return given;
  } catch {
    // Answered below.
  }
  return problems.fail('filter', 'invalid_filter', 'Must be a JSON object.');
}

/** The parameters as a filter has them. */
function partsOf({
  type,
  name,
  userId,
  anonymousId,
  segmentId,
}: TailQueryDto): Record<string, JsonObject[string] | undefined> {
  const conditions = Object.entries({ userId, anonymousId }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, operator: 'eq', value }],
  );
  return {
    types: type === undefined ? undefined : [type],
    events: name === undefined ? undefined : [name],
    conditions: conditions.length === 0 ? undefined : conditions,
    segments: segmentId === undefined ? undefined : [segmentId],
  };
}
