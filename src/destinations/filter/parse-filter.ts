import { isUUID } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import type { ProblemDetail } from '../../platform/http/problem';
import { operatorApplies, parseComparand } from '../../segments/rules/parse-comparand';
import type { Field } from '../../segments/rules/predicate';
import { MATCHES, type Match, type Operator, OPERATORS } from '../../segments/rules/rule';
import { isJsonObject, parseEventPath } from '../event-path';
import type { FilterCondition, ParsedFilter } from './filter';

const MAX_ENTRIES = 200;
const MAX_NAME_LENGTH = 1_000;
const MEMBERS = ['types', 'events', 'match', 'conditions', 'segments'];
const CONDITION_MEMBERS = ['field', 'operator', 'value'];

export type FilterResult =
  | { readonly ok: true; readonly filter: ParsedFilter }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

/** Checks a filter as a client wrote it; the paths of its errors start at `filter`. */
export function parseFilter(input: unknown): FilterResult {
  const parser = new FilterParser();
  const filter = parser.parse(input);
  return filter === undefined || parser.errors.length > 0
    ? { ok: false, errors: parser.errors }
    : { ok: true, filter };
}

/** Goes through the filter once and keeps what is wrong. It returns undefined for a part that is wrong. */
class FilterParser {
  readonly errors: ProblemDetail[] = [];

  parse(input: unknown): ParsedFilter | undefined {
    if (!isJsonObject(input)) return this.fail('filter', 'invalid_filter', 'Must be an object.');
    this.checkMembers(input, MEMBERS, 'filter');
    const match = input.match ?? 'all';
    if (!isOneOf(MATCHES, match)) {
      this.fail('filter.match', 'invalid_match', `Must be one of ${MATCHES.join(', ')}.`);
    }
    return {
      types: this.optionalList(input.types, 'filter.types', (entry, path) => this.type(entry, path)),
      events: this.optionalList(input.events, 'filter.events', (entry, path) => this.name(entry, path)),
      match: match as Match,
      conditions:
        this.optionalList(noneIfEmpty(input.conditions), 'filter.conditions', (entry, path) =>
          this.condition(entry, path),
        ) ?? [],
      segments: this.optionalList(input.segments, 'filter.segments', (entry, path) =>
        this.segment(entry, path),
      ),
    };
  }

  private optionalList<T>(
    value: unknown,
    path: string,
    parseEntry: (entry: unknown, path: string) => T | undefined,
  ): T[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length === 0) {
      return this.fail(path, 'invalid_list', 'Must be an array with at least one entry.');
    }
    if (value.length > MAX_ENTRIES) {
      return this.fail(path, 'too_many', `Has more than ${MAX_ENTRIES} entries.`);
    }
    const entries = value.map((entry: unknown, index) => parseEntry(entry, `${path}[${index}]`));
    return entries.filter((entry) => entry !== undefined);
  }

  private type(entry: unknown, path: string): EventType | undefined {
    if (isOneOf(EVENT_TYPES, entry)) return entry;
    return this.fail(path, 'unknown_type', `Must be one of ${EVENT_TYPES.join(', ')}.`);
  }

  private name(entry: unknown, path: string): string | undefined {
    if (typeof entry === 'string' && entry !== '' && entry.length <= MAX_NAME_LENGTH) return entry;
    return this.fail(
      path,
      'invalid_name',
      `Must be the name of an event, 1 to ${MAX_NAME_LENGTH} characters; * stands for any.`,
    );
  }

  private segment(entry: unknown, path: string): string | undefined {
    if (typeof entry === 'string' && isUUID(entry)) return entry.toLowerCase();
    return this.fail(path, 'invalid_segment', 'Must be the id of a segment.');
  }

  private condition(entry: unknown, path: string): FilterCondition | undefined {
    if (!isJsonObject(entry)) {
      return this.fail(path, 'invalid_condition', 'Must be an object with field, operator and value.');
    }
    this.checkMembers(entry, CONDITION_MEMBERS, path);
    const eventPath =
      parseEventPath(entry.field) ??
      this.fail(
        `${path}.field`,
        'invalid_field',
        'Must be a dotted path into the event, such as properties.amount.',
      );
    const operator = this.operator(entry.operator, path);
    if (eventPath === undefined || operator === undefined) return undefined;
    // For its operators, a member of an event is what a trait is to a segment.
    const field: Field = { kind: 'trait', paths: [eventPath] };
    const comparand = operatorApplies(operator, field)
      ? parseComparand(entry.value, operator, field)
      : { problem: `cannot be used with ${operator}` };
    if ('problem' in comparand) {
      return this.fail(`${path}.value`, 'invalid_value', `The value ${comparand.problem}.`);
    }
    return { path: eventPath, operator, comparand };
  }

  private operator(operator: unknown, path: string): Operator | undefined {
    if (isOneOf(OPERATORS, operator)) return operator;
    return this.fail(`${path}.operator`, 'unknown_operator', `Must be one of ${OPERATORS.join(', ')}.`);
  }

  /** A misspelt member would otherwise silently widen a filter. */
  private checkMembers(value: object, known: readonly string[], path: string): void {
    for (const member of Object.keys(value)) {
      if (!known.includes(member)) {
        this.fail(`${path}.${member}`, 'unknown_field', `Is none of ${known.join(', ')}.`);
      }
    }
  }

  private fail(path: string, code: string, message: string): undefined {
    this.errors.push({ path, code, message });
    return undefined;
  }
}

/** No conditions are what a form sends that has none; no types or names would be a destination that gets nothing. */
function noneIfEmpty(conditions: unknown): unknown {
  return Array.isArray(conditions) && conditions.length === 0 ? undefined : conditions;
}

function isOneOf<T extends string>(allowed: readonly T[], value: unknown): value is T {
  return (allowed as readonly unknown[]).includes(value);
}
