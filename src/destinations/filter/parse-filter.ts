import { isUUID } from 'class-validator';
import { EVENT_TYPES, type EventType, isJsonObject } from '../../events/customer-event';
import { InputProblems, type ReadPart } from '../../platform/http/input/input-problems';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import type { Comparand } from '../../language/comparand';
import { type EventCondition, readEventCondition } from '../../language/event-condition';
import { MATCHES } from '../../language/operators';
import { COMPUTED } from '../../segments/rules/computed-path';
import type { NamedMeasures } from '../../segments/rules/named-measures';
import { readComparison } from '../../segments/rules/parsing/read-comparison';
import { computedTraitOf, type ParsedFilter } from './filter';

const MAX_ENTRIES = 200;
const MAX_NAME_LENGTH = 1_000;
const MEMBERS = ['types', 'events', 'match', 'conditions', 'segments'];

type FilterResult =
  | { readonly ok: true; readonly filter: ParsedFilter }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/**
 * Checks a filter as a client wrote it; the paths of its errors start at `filter`.
 * @param traits what `computed.…` may name, and what can be asked of it. Without, as of a filter that is kept, any
 * name.
 */
export function parseFilter(input: unknown, traits?: NamedMeasures): FilterResult {
  const problems = new InputProblems();
  const filter = readFilter(input, problems, traits);
  return filter === undefined || problems.errors.length > 0
    ? { ok: false, errors: problems.errors }
    : { ok: true, filter };
}

function readFilter(
  input: unknown,
  problems: InputProblems,
  traits: NamedMeasures | undefined,
): ParsedFilter | undefined {
  if (!isJsonObject(input)) return problems.fail('filter', 'invalid_filter', 'Must be an object.');
  problems.onlyMembers(input, MEMBERS, 'filter', 'unknown_field');
  const match = problems.oneOf(MATCHES, input.match ?? 'all', 'filter.match', 'invalid_match');
  const conditions = noneIfEmpty(input.conditions);
  const readOne: ReadPart<EventCondition> = (condition, path) =>
    readCondition(condition, path, problems, traits);
  return {
    types: isEmptyList(input.types) ? [] : readList(input.types, 'filter.types', problems, readType),
    events: readList(input.events, 'filter.events', problems, readName),
    match: match ?? 'all',
    conditions: readList(conditions, 'filter.conditions', problems, readOne) ?? [],
    segments: readList(input.segments, 'filter.segments', problems, readSegment),
  };
}

/** No conditions are what a form sends that has none; no names would be a destination that gets nothing. */
function noneIfEmpty(conditions: unknown): unknown {
  return isEmptyList(conditions) ? undefined : conditions;
}

/** No types is said by a destination that wants notices only. */
function isEmptyList(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

function readList<T>(
  list: unknown,
  path: string,
  problems: InputProblems,
  readEntry: ReadPart<T>,
): T[] | undefined {
  if (list === undefined) return undefined;
  if (!Array.isArray(list) || list.length === 0) {
    return problems.fail(path, 'invalid_list', 'Must be an array with at least one entry.');
  }
  if (list.length > MAX_ENTRIES) {
    return problems.fail(path, 'too_many', `Has more than ${MAX_ENTRIES} entries.`);
  }
  return problems.entries(list, path, readEntry);
}

function readType(type: unknown, path: string, problems: InputProblems): EventType | undefined {
  return problems.oneOf(EVENT_TYPES, type, path, 'unknown_type');
}

function readName(name: unknown, path: string, problems: InputProblems): string | undefined {
  const isText = typeof name === 'string' && !name.includes('\0') && name.isWellFormed();
  if (isText && name !== '' && name.length <= MAX_NAME_LENGTH) return name;
  const message = `Must be the name of an event, 1 to ${MAX_NAME_LENGTH} characters; * stands for any.`;
  return problems.fail(path, 'invalid_name', message);
}

function readCondition(
  condition: unknown,
  path: string,
  problems: InputProblems,
  traits: NamedMeasures | undefined,
): EventCondition | undefined {
  const read = readEventCondition(condition, path, problems);
  if (read === undefined || read.path[0] !== COMPUTED) return read;
  if (read.path.length !== 2) {
    const message = 'Must be computed.<name>, with the name of a computed trait.';
    return problems.fail(`${path}.field`, 'invalid_field', message);
  }
  if (traits === undefined || !isJsonObject(condition)) return read;
  const comparand = readComparisonOfTrait(read, { value: condition.value, traits }, path, problems);
  return comparand && { ...read, comparand };
}

/** As in a rule about the same value: the operators and values that can be. */
function readComparisonOfTrait(
  condition: EventCondition,
  { value, traits }: { readonly value: unknown; readonly traits: NamedMeasures },
  path: string,
  problems: InputProblems,
): Comparand | undefined {
  const { operator } = condition;
  const name = computedTraitOf(condition) ?? '';
  const field = traits.get(name);
  if (field !== undefined) return readComparison(field, { operator, value }, path, problems);
  return problems.fail(`${path}.field`, 'unknown_computed_trait', `There is no computed trait "${name}".`);
}

function readSegment(id: unknown, path: string, problems: InputProblems): string | undefined {
  if (typeof id === 'string' && isUUID(id)) return id.toLowerCase();
  return problems.fail(path, 'invalid_segment', 'Must be the id of a segment.');
}
