import { InputProblems } from '../../../platform/http/input/input-problems';
import type { ProblemDetail } from '../../../platform/http/problems/problem';
import { MAX_DEPTH, MAX_MEASURES, MAX_RULES } from './limits';
import { COMPUTED_PREFIX, type NamedMeasures, NO_TRAITS } from '../named-measures';
import { parseField } from './parse-field';
import {
  hasMeasure,
  MEASURE_MEMBERS,
  type MeasureInput,
  parseCountedEvents,
  readMeasure,
} from './parse-measure';
import { readComparison, readOperator } from './read-comparison';
import { readSequence, type SequenceInput } from './parse-sequence';
import { WINDOW_MEMBERS } from './parse-window';
import { type Condition, type Field, type Predicate, countStoredEventRules } from '../predicate';
import { MATCHES, type Match } from '../../../language/operators';

/** The predicate, or everything that is wrong with the rules; each `path` starts at `rules`. */
export type ParsedRules =
  | { readonly ok: true; readonly predicate: Predicate }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

const RULE_MEMBERS = ['field', 'operator', 'value', 'event', 'type', ...WINDOW_MEMBERS, ...MEASURE_MEMBERS];
const GROUP_MEMBERS = ['match', 'not', 'rules'];
/** They say which events are counted. */
const COUNT_MEMBERS = ['event', 'type', ...WINDOW_MEMBERS, ...MEASURE_MEMBERS] as const;
/** They say that a rule is about events; `type` and `within` alone are of any, whose `event_count` is to be written. */
const EVENT_MEMBERS = ['event', 'from', 'to', ...MEASURE_MEMBERS] as const;

/**
 * Checks the rules of a segment. No rules at all are everybody.
 * @param traits what `computed.…` may name
 */
export function parseRules(
  rules: unknown,
  match: Match = 'all',
  traits: NamedMeasures = NO_TRAITS,
): ParsedRules {
  const parser = new RulesParser(traits);
  const { problems } = parser;
  const predicate = parser.list(rules, match, { path: 'rules', depth: 0 });
  if (parser.count > MAX_RULES) {
    const message = `A segment has at most ${MAX_RULES} rules, these are ${parser.count}.`;
    problems.fail('rules', 'too_many_rules', message);
  }
  const measures = predicate === undefined ? 0 : countStoredEventRules(predicate);
  if (measures > MAX_MEASURES) {
    const message = `At most ${MAX_MEASURES} rules have where, aggregate, of, from, to, hours or sequence, these are ${measures}.`;
    problems.fail('rules', 'too_many_measures', message);
  }
  return predicate === undefined || problems.errors.length > 0
    ? { ok: false, errors: problems.errors }
    : { ok: true, predicate };
}

interface RuleLocation {
  readonly path: string;
  readonly depth: number;
}

/** Walks through the rules once. It returns undefined for a part that is wrong. */
class RulesParser {
  readonly problems = new InputProblems();
  count = 0;

  constructor(private readonly traits: NamedMeasures) {}

  list(rules: unknown, match: Match, { path, depth }: RuleLocation): Predicate | undefined {
    if (!Array.isArray(rules)) return this.problems.fail(path, 'invalid_rules', 'Must be an array of rules.');
    // Beyond this there is nothing to learn from checking each one.
    if (rules.length > MAX_RULES) {
      const message = `At most ${MAX_RULES} rules, these are ${rules.length}.`;
      return this.problems.fail(path, 'too_many_rules', message);
    }
    const of = this.problems.entries(rules, path, (rule, location) =>
      this.node(rule, { path: location, depth }),
    );
    // "Any of none" would have no members: without rules a segment is everybody either way.
    return { kind: of.length === 0 ? 'all' : match, of };
  }

  private node(node: unknown, location: RuleLocation): Predicate | undefined {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) {
      const message = 'Must be an object with field, operator and value.';
      return this.problems.fail(location.path, 'invalid_rule', message);
    }
    if ('rules' in node) return this.group(node, location);
    this.count += 1;
    return 'sequence' in node ? this.sequence(node, location) : this.rule(node, location);
  }

  private group(group: GroupInput, { path, depth }: RuleLocation): Predicate | undefined {
    const { problems } = this;
    if (depth >= MAX_DEPTH) {
      return problems.fail(path, 'too_deep', `Groups go at most ${MAX_DEPTH} levels deep.`);
    }
    problems.onlyMembers(group, GROUP_MEMBERS, path, 'unknown_member');
    const { match: given = 'all', not = false, rules } = group;
    const match = problems.oneOf(MATCHES, given, `${path}.match`, 'invalid_match');
    if (typeof not !== 'boolean') problems.fail(`${path}.not`, 'invalid_not', 'Must be true or false.');
    if (Array.isArray(rules) && rules.length === 0) {
      problems.fail(`${path}.rules`, 'empty_group', 'A group has at least one rule.');
    }
    const inner = this.list(rules, match ?? 'all', { path: `${path}.rules`, depth: depth + 1 });
    return inner !== undefined && not === true ? { kind: 'not', of: inner } : inner;
  }

  private rule(rule: RuleInput, { path }: RuleLocation): Condition | undefined {
    const { problems } = this;
    problems.onlyMembers(rule, RULE_MEMBERS, path, 'unknown_member');
    const field = this.field(rule, path);
    const operator = readOperator(rule.operator, field, `${path}.operator`, problems);
    if (field === undefined || operator === undefined) return undefined;
    const comparand = readComparison(field, { operator, value: rule.value }, path, problems);
    return comparand && { kind: 'condition', path, field, operator, comparand };
  }

  private sequence(rule: SequenceInput, { path }: RuleLocation): Condition | undefined {
    const field = readSequence(rule, path, this.problems);
    return field && { kind: 'condition', path, field, operator: 'exists', comparand: { kind: 'none' } };
  }

  private namedField(text: unknown, path: string): Field | undefined {
    if (typeof text === 'string' && text.startsWith(COMPUTED_PREFIX)) {
      const name = text.slice(COMPUTED_PREFIX.length);
      const message = `There is no computed trait "${name}"; a trait called computed is traits.computed.`;
      return this.traits.get(name) ?? this.problems.fail(`${path}.field`, 'unknown_computed_trait', message);
    }
    const message =
      'Must be event_count, first_seen, last_seen, groups, segments, a computed trait (computed.…), a trait of groups (groups.…), or a trait by its name or dotted path (traits.…).';
    const field = typeof text === 'string' ? parseField(text) : undefined;
    return field ?? this.problems.fail(`${path}.field`, 'invalid_field', message);
  }

  private field(rule: RuleInput, path: string): Field | undefined {
    const { field: text = isOfEvents(rule) ? 'event_count' : undefined } = rule;
    const field = this.namedField(text, path);
    if (field === undefined) return undefined;
    const member = COUNT_MEMBERS.find((name) => rule[name] !== undefined);
    if (member === undefined) return field;
    if (field.kind !== 'event_count') {
      const message = `${member} goes with event_count only.`;
      return this.problems.fail(`${path}.${member}`, 'not_applicable', message);
    }
    const counted = parseCountedEvents(rule, path, this.problems);
    if (counted === undefined) return undefined;
    if (hasMeasure(rule, counted.window)) return readMeasure(rule, counted, path, this.problems);
    return { kind: 'event_count', ...counted };
  }
}

/** A rule without a field that says anything of events is about them; which they are has to be said then. */
function isOfEvents(rule: RuleInput): boolean {
  return EVENT_MEMBERS.some((name) => rule[name] !== undefined);
}

interface RuleInput extends MeasureInput {
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
}

interface GroupInput {
  readonly match?: unknown;
  readonly not?: unknown;
  readonly rules?: unknown;
}
