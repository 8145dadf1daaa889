import { isJsonObject } from '../events/customer-event';
import { type EventPath, readEventPath } from '../events/event-path';
import type { InputProblems } from '../platform/http/input/input-problems';
import type { Comparand } from './comparand';
import { type Operator, OPERATORS } from './operators';
import { readComparand } from './parse-comparand';

/** A test of one value of an event, validated: in filters of destinations and in `where` of rules alike. */
export interface EventCondition {
  readonly path: EventPath;
  readonly operator: Operator;
  readonly comparand: Comparand;
}

const MEMBERS = ['field', 'operator', 'value'];

/** Reads `{field, operator, value}`, where `field` is a dotted path into the event. */
export function readEventCondition(
  condition: unknown,
  path: string,
  problems: InputProblems,
): EventCondition | undefined {
  if (!isJsonObject(condition)) {
    return problems.fail(path, 'invalid_condition', 'Must be an object with field, operator and value.');
  }
  problems.onlyMembers(condition, MEMBERS, path, 'unknown_field');
  const eventPath = readEventPath(condition.field, `${path}.field`, problems, 'invalid_field');
  const code = condition.operator === undefined ? 'required' : 'unknown_operator';
  const operator = problems.oneOf(OPERATORS, condition.operator, `${path}.operator`, code);
  if (eventPath === undefined || operator === undefined) return undefined;
  const compared = 'anything';
  const comparand = readComparand({ value: condition.value, operator, compared }, path, problems);
  return comparand && { path: eventPath, operator, comparand };
}
