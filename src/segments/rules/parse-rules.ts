import { EVENT_TYPES } from '../../events/customer-event';
import type { ProblemDetail } from '../../platform/http/problem';
import { MAX_DEPTH, MAX_RULES, MAX_STRING_LENGTH, MAX_WITHIN_DAYS } from './limits';
import { operatorApplies, parseComparand } from './parse-comparand';
import { isWellFormed, parseField } from './parse-field';
import type { Condition, Field, Predicate } from './predicate';
import { MATCHES, type Match, type Operator, OPERATORS } from './rule';

/** The predicate, or everything that is wrong with the rules; each `path` starts at `rules`. */
export type ParsedRules =
  | { readonly ok: true; readonly predicate: Predicate }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

const RULE_MEMBERS = ['field', 'operator', 'value', 'event', 'type', 'within'];
const GROUP_MEMBERS = ['match', 'not', 'rules'];
/** They say which events are counted. */
const COUNT_MEMBERS = ['event', 'type', 'within'] as const;
const WITHIN = /^([1-9][0-9]{0,3})d$/;

/** Checks the rules of a segment. No rules at all are everybody. */
export function parseRules(rules: unknown, match: Match = 'all'): ParsedRules {
  const parser = new RulesParser();
  const predicate = parser.list(rules, match, { path: 'rules', depth: 0 });
  if (parser.count > MAX_RULES) {
    parser.fail(
      'rules',
      'too_many_rules',
      `A segment has at most ${MAX_RULES} rules, these are ${parser.count}.`,
    );
  }
  return predicate === undefined || parser.errors.length > 0
    ? { ok: false, errors: parser.errors }
    : { ok: true, predicate };
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

/** Walks through the rules once and keeps what is wrong. It returns undefined for a part that is wrong. */
class RulesParser {
  readonly errors: ProblemDetail[] = [];
  count = 0;

  list(rules: unknown, match: Match, { path, depth }: Place): Predicate | undefined {
    if (!Array.isArray(rules)) return this.fail(path, 'invalid_rules', 'Must be an array of rules.');
    // Beyond this there is nothing to learn from checking each one.
    if (rules.length > MAX_RULES) {
      return this.fail(path, 'too_many_rules', `At most ${MAX_RULES} rules, these are ${rules.length}.`);
    }
    const parsed = rules.map((rule, index) => this.node(rule, { path: `${path}[${index}]`, depth }));
    const of = parsed.filter((predicate) => predicate !== undefined);
    // "Any of none" would have no members: without rules a segment is everybody either way.
    return { kind: of.length === 0 ? 'all' : match, of };
  }

  fail(path: string, code: string, message: string): undefined {
    this.errors.push({ path, code, message });
    return undefined;
  }

  private node(node: unknown, place: Place): Predicate | undefined {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      return this.fail(place.path, 'invalid_rule', 'Must be an object with field, operator and value.');
    }
    return 'rules' in node ? this.group(node, place) : this.rule(node, place);
  }

  private group(group: GroupInput, { path, depth }: Place): Predicate | undefined {
    if (depth >= MAX_DEPTH) {
      return this.fail(path, 'too_deep', `Groups go at most ${MAX_DEPTH} levels deep.`);
    }
    this.checkMembers(group, GROUP_MEMBERS, path);
    const { match = 'all', not = false, rules } = group;
    if (!isOneOf(MATCHES, match)) {
      this.fail(`${path}.match`, 'invalid_match', `Must be one of ${MATCHES.join(', ')}.`);
    }
    if (typeof not !== 'boolean') this.fail(`${path}.not`, 'invalid_not', 'Must be true or false.');
    if (Array.isArray(rules) && rules.length === 0) {
      this.fail(`${path}.rules`, 'empty_group', 'A group has at least one rule.');
    }
    const inner = this.list(rules, isOneOf(MATCHES, match) ? match : 'all', {
      path: `${path}.rules`,
      depth: depth + 1,
    });
    return inner !== undefined && not === true ? { kind: 'not', of: inner } : inner;
  }

  private rule(rule: RuleInput, { path }: Place): Condition | undefined {
    this.count += 1;
    this.checkMembers(rule, RULE_MEMBERS, path);
    const field = this.field(rule, path);
    const operator = this.operator(rule, path);
    if (field === undefined || operator === undefined) return undefined;
    if (!operatorApplies(operator, field)) {
      const message = `${operator} says nothing about ${field.kind}.`;
      return this.fail(`${path}.operator`, 'operator_not_applicable', message);
    }
    const comparand = parseComparand(rule.value, operator, field);
    if ('problem' in comparand) {
      return this.fail(`${path}.value`, 'invalid_value', `The value ${comparand.problem}.`);
    }
    return { kind: 'condition', path, field, operator, comparand };
  }

  private operator({ operator }: RuleInput, path: string): Operator | undefined {
    if (isOneOf(OPERATORS, operator)) return operator;
    return this.fail(`${path}.operator`, 'unknown_operator', `Must be one of ${OPERATORS.join(', ')}.`);
  }

  private field(rule: RuleInput, path: string): Field | undefined {
    const field = typeof rule.field === 'string' ? parseField(rule.field) : undefined;
    if (field === undefined) {
      const message =
        'Must be event_count, first_seen, last_seen, groups, segments, a trait of groups (groups.…), or a trait by its name or dotted path (traits.…).';
      return this.fail(`${path}.field`, 'invalid_field', message);
    }
    const member = COUNT_MEMBERS.find((name) => rule[name] !== undefined);
    if (member === undefined) return field;
    if (field.kind !== 'event_count') {
      return this.fail(`${path}.${member}`, 'not_applicable', `${member} goes with event_count only.`);
    }
    return this.eventCount(rule, path);
  }

  private eventCount({ event, type, within }: RuleInput, path: string): Field | undefined {
    if (event !== undefined && !isEventName(event)) {
      const message = `Must be the name of an event: 1 to ${MAX_STRING_LENGTH} characters.`;
      return this.fail(`${path}.event`, 'invalid_event', message);
    }
    if (type !== undefined && !isOneOf(EVENT_TYPES, type)) {
      return this.fail(`${path}.type`, 'invalid_type', `Must be one of ${EVENT_TYPES.join(', ')}.`);
    }
    const days = typeof within === 'string' ? Number(WITHIN.exec(within)?.[1]) : Number.NaN;
    if (within !== undefined && !(days <= MAX_WITHIN_DAYS)) {
      const message = `Must be a number of days such as 30d, at most ${MAX_WITHIN_DAYS}d.`;
      return this.fail(`${path}.within`, 'invalid_within', message);
    }
    return {
      kind: 'event_count',
      ...(event === undefined ? {} : { event: event as string }),
      ...(type === undefined ? {} : { type }),
      ...(within === undefined ? {} : { withinDays: days }),
    };
  }

  /** A misspelt member would otherwise silently widen a segment. */
  private checkMembers(node: object, known: readonly string[], path: string): void {
    for (const member of Object.keys(node)) {
      if (!known.includes(member)) {
        this.fail(`${path}.${member}`, 'unknown_member', `Is none of ${known.join(', ')}.`);
      }
    }
  }
}

interface RuleInput {
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
  readonly event?: unknown;
  readonly type?: unknown;
  readonly within?: unknown;
}

interface GroupInput {
  readonly match?: unknown;
  readonly not?: unknown;
  readonly rules?: unknown;
}

function isEventName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= MAX_STRING_LENGTH &&
    !value.includes('\0') &&
    isWellFormed(value)
  );
}

function isOneOf<T extends string>(allowed: readonly T[], value: unknown): value is T {
  return (allowed as readonly unknown[]).includes(value);
}
