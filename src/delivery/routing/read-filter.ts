import type { ParsedFilter } from '../../destinations/filter/filter';
import { parseFilter } from '../../destinations/filter/parse-filter';
import type { JsonObject } from '../../events/customer-event';
import { InvalidRequestError } from '../../platform/http/problems/problem';

/** A filter that is tried out; undefined lets everything pass. @throws InvalidRequestError */
export function readFilter(filter: JsonObject | null | undefined): ParsedFilter | undefined {
  if (filter === null || filter === undefined) return undefined;
  const result = parseFilter(filter);
  if (!result.ok) throw new InvalidRequestError(result.errors);
  return result.filter;
}
