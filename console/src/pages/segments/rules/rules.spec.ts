import * as fc from 'fast-check';
import { randomRuleNode } from '../../../../../test/support/random-segments';
import { MAX_DEPTH as SERVICE_MAX_DEPTH } from '../../../../../src/segments/rules/limits';
import { readComparand } from '../../../../../src/language/parse-comparand';
import { comparedOf, operatorApplies } from '../../../../../src/segments/rules/field-operators';
import { parseField } from '../../../../../src/segments/rules/parse-field';
import { parseRules } from '../../../../../src/segments/rules/parse-rules';
import type { Field } from '../../../../../src/segments/rules/predicate';
import { OPERATORS } from '../../../../../src/language/operators';
import { InputProblems } from '../../../../../src/platform/http/input/input-problems';
import { OPERATOR_WORDS } from '../../../shared/segments/language-words';
import { readRules } from './read-rules';
import { changeRule, isGroup, MAX_DEPTH, newGroup, newRule, type RuleDraft } from './rule-draft';
import {
  arityOf,
  FIELD_KINDS,
  type FieldKind,
  OPERATORS_OF,
  type ValueKind,
  valueKindsOf,
} from './rule-language';
import { writeRules } from './write-rules';

const FIELDS: Readonly<Record<FieldKind, string>> = {
  trait: 'plan',
  group_trait: 'groups.plan',
  event_count: 'event_count',
  first_seen: 'first_seen',
  last_seen: 'last_seen',
  groups: 'groups',
  segments: 'segments',
};
const VALUES: Readonly<Record<ValueKind, unknown>> = {
  text: '2026-01-31',
  number: 5,
  boolean: true,
  null: null,
  json: ['a'],
};

const fieldOf = (kind: keyof typeof FIELDS): Field => {
  const field = parseField(FIELDS[kind]);
  if (field === undefined) throw new Error(`${FIELDS[kind]} is no field.`);
  return field;
};

const write = (rules: RuleDraft[]): unknown => writeRules({ key: '', match: 'all', not: false, rules });

describe('the rules of a segment as they are edited', () => {
  it('say the same after they were read and written, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(randomRuleNode, { maxLength: 4 }),
        fc.constantFrom('all', 'any'),
        (rules, match) => {
          const parsed = parseRules(rules, match);
          fc.pre(parsed.ok);
          const draft = readRules(JSON.parse(JSON.stringify(rules)), match);
          const written = draft && writeRules(draft);
          expect(written).toBeDefined();
          expect(JSON.stringify(parseRules(written?.rules, written?.match))).toBe(JSON.stringify(parsed));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('take the operators, values and depth that the service takes', () => {
    expect(Object.keys(OPERATOR_WORDS)).toEqual([...OPERATORS]);
    expect(MAX_DEPTH).toBe(SERVICE_MAX_DEPTH);
    for (const kind of FIELD_KINDS) {
      const field = fieldOf(kind);
      expect(OPERATORS_OF[kind]).toEqual(OPERATORS.filter((operator) => operatorApplies(operator, field)));
      for (const operator of OPERATORS_OF[kind]) {
        if (arityOf(operator) === 'none' || kind === 'segments') continue;
        const taken = Object.entries(VALUES).filter(([, one]) => {
          const value = arityOf(operator) === 'many' ? [one] : one;
          return (
            readComparand({ value, operator, compared: comparedOf(field) }, '', new InputProblems()) !==
            undefined
          );
        });
        expect([kind, operator, taken.map(([name]) => name).toSorted()]).toEqual([
          kind,
          operator,
          valueKindsOf(kind, operator).toSorted(),
        ]);
      }
    }
  });

  it('keep what they count', () => {
    const rule = {
      field: 'event_count',
      event: 'Paid',
      type: 'track',
      within: '30d',
      operator: 'gte',
      value: 3,
    };
    const draft = readRules([rule], 'any');
    expect(draft && writeRules(draft)).toEqual({ match: 'any', rules: [rule] });
  });

  it.each([
    ['no array', {}],
    ['a member that is none', [{ field: 'plan', operator: 'eq', value: 1, vlaue: 1 }]],
    ['an operator that is none', [{ field: 'plan', operator: 'like', value: 'x' }]],
    ['a list where one value belongs', [{ field: 'event_count', operator: 'gt', value: [1] }]],
    ['one value where a list belongs', [{ field: 'plan', operator: 'in', value: 'x' }]],
    ['a rule without a value', [{ field: 'plan', operator: 'eq' }]],
    ['a window that is none', [{ field: 'event_count', operator: 'gt', value: 1, within: '3w' }]],
    ['a group that is none', [{ rules: [], match: 'some' }]],
    ['a text', ['plan = pro']],
  ])('are left as JSON when they are %s', (_, rules) => {
    expect(readRules(rules, 'all')).toBeUndefined();
  });

  it('are not complete while something is missing', () => {
    const number = changeRule(newRule(), { kind: 'event_count' });
    for (const rule of [
      newRule(),
      number,
      { ...number, values: [{ kind: 'number', text: 'x' }] } as const,
      changeRule(newRule(), { kind: 'segments' }),
      { ...newRule(), name: 'a', values: [{ kind: 'json', text: '{' }] } as const,
      { ...newRule(), name: 'a', operator: 'in', values: [] } as const,
    ])
      expect(write([rule])).toBeUndefined();
    expect(write([{ ...newRule(), name: 'a' }])).toEqual({
      match: 'all',
      rules: [{ field: 'a', operator: 'eq', value: '' }],
    });
    expect(writeRules({ ...newGroup(), rules: [{ ...newGroup(), rules: [] }] })).toBeUndefined();
    expect(isGroup(newGroup())).toBe(true);
  });

  it('mean the trait, where a trait has the name of something else', () => {
    for (const name of ['event_count', 'segments', 'groups', 'groups.plan'])
      expect(write([{ ...newRule(), name }])).toMatchObject({ rules: [{ field: `traits.${name}` }] });
  });

  it('have an operator and values that go with the field that was chosen', () => {
    const text = { ...newRule(), name: 'plan', values: [{ kind: 'text', text: 'pro' }] } as const;
    expect(changeRule(text, { operator: 'in' }).values).toEqual([{ kind: 'text', text: 'pro' }]);
    expect(changeRule(text, { operator: 'exists' }).values).toEqual([]);
    expect(changeRule(changeRule(text, { operator: 'exists' }), { operator: 'eq' }).values).toHaveLength(1);
    const groups = changeRule(text, { kind: 'groups' });
    expect(groups).toMatchObject({ operator: 'contains', name: '', values: [{ kind: 'text', text: '' }] });
    const list = {
      ...text,
      operator: 'in',
      values: [...text.values, { kind: 'json', text: '[1]' }],
    } as const;
    expect(changeRule(list, { operator: 'starts_with' }).values).toEqual(text.values);
  });
});
