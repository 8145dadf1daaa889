import * as fc from 'fast-check';
import {
  randomMeasureRule,
  randomSequenceRule,
  TRAITS,
} from '../../../../../test/support/random-event-rules';
import { randomRuleNode } from '../../../../../test/support/random-segments';
import { AGGREGATES } from '../../../../../src/segments/rules/measure';
import { parseRules } from '../../../../../src/segments/rules/parsing/parse-rules';
import { newCondition } from '../../../shared/segments/events/event-test-draft';
import { NEW_MEASURE } from '../../../shared/segments/events/measure-draft';
import { NO_WINDOW } from '../../../shared/segments/events/window-draft';
import { readRules } from './read-rules';
import { changeRule, isGroup, isSequence, newGroup, newRule, type NodeDraft } from './rule-draft';
import { changeSteps, newSequence, newStep, type SequenceDraft, type StepDraft } from './sequence-draft';
import { writeComplete, writeRules } from './write-rules';

const AGGREGATE_OF = new Map(AGGREGATES.map((aggregate) => [aggregate as string, aggregate]));

const write = (rules: NodeDraft[]): unknown => writeRules({ key: '', match: 'all', not: false, rules });

const aStep = (members: Partial<StepDraft> = {}): StepDraft => ({ ...newStep(), event: 'Paid', ...members });
const aSequence = (): SequenceDraft => ({
  ...newSequence(),
  steps: [aStep(), aStep()],
  window: { ...NO_WINDOW, time: { count: '30', unit: 'd' } },
});

describe('the rules of a segment as they are edited', () => {
  it('say the same after they were read and written, whatever they are', () => {
    const node = fc.oneof(
      { weight: 3, arbitrary: randomRuleNode },
      { weight: 2, arbitrary: randomMeasureRule },
      { weight: 2, arbitrary: randomSequenceRule },
      fc
        .constantFrom(...TRAITS.keys())
        .map((name) => ({ field: `computed.${name}`, operator: 'eq', value: 1 })),
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 3 }), fc.constantFrom('all', 'any'), (rules, match) => {
        const parsed = parseRules(rules, match, TRAITS);
        fc.pre(parsed.ok);
        const draft = readRules(JSON.parse(JSON.stringify(rules)), match);
        const written = draft && writeRules(draft);
        expect(written).toBeDefined();
        expect(JSON.stringify(parseRules(written?.rules, written?.match, TRAITS))).toBe(
          JSON.stringify(parsed),
        );
      }),
      { numRuns: 2_000 },
    );
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

  it('keep whether profiles or stored events are asked for a number', () => {
    const counted = { event: 'Paid', within: '30d', operator: 'gte', value: 3 };
    for (const rule of [
      { field: 'event_count', ...counted },
      { aggregate: 'count', ...counted },
    ]) {
      const draft = readRules([rule], 'all');
      expect(draft && writeRules(draft)?.rules).toEqual([rule]);
    }
  });

  it.each([
    ['no array', {}],
    ['a member that is none', [{ field: 'plan', operator: 'eq', value: 1, vlaue: 1 }]],
    ['an operator that is none', [{ field: 'plan', operator: 'like', value: 'x' }]],
    ['a list where one value belongs', [{ field: 'event_count', operator: 'gt', value: [1] }]],
    ['one value where a list belongs', [{ field: 'plan', operator: 'in', value: 'x' }]],
    ['a rule without a value', [{ field: 'plan', operator: 'eq' }]],
    ['a window that is none', [{ field: 'event_count', operator: 'gt', value: 1, within: '3w' }]],
    ['a window of a trait', [{ field: 'plan', operator: 'eq', value: 1, within: '3d' }]],
    ['an aggregate that is none', [{ event: 'a', aggregate: 'median', of: 'b', operator: 'gt', value: 1 }]],
    ['an aggregate without its path', [{ event: 'a', aggregate: 'sum', operator: 'gt', value: 1 }]],
    ['a condition that is none', [{ event: 'a', where: [{ field: 'b' }], operator: 'gt', value: 1 }]],
    ['a range and a window', [{ event: 'a', within: '3d', to: '2026-01-31', operator: 'gt', value: 1 }]],
    ['a type that is none', [{ event: 'a', type: 'call', operator: 'gt', value: 1 }]],
    ['a step that is none', [{ sequence: [{ event: 'a', times: 2 }], within: '3d' }]],
    ['no steps', [{ sequence: [], within: '3d' }]],
    ['a group that is none', [{ rules: [], match: 'some' }]],
    ['a text', ['plan = pro']],
  ])('are left as JSON when they are %s', (_, rules) => {
    expect(readRules(rules, 'all')).toBeUndefined();
  });

  it('are not complete while something is missing', () => {
    const number = changeRule(newRule(), { kind: 'event_count' });
    const counted = { ...number, values: [{ kind: 'number', text: '1' }] } as const;
    for (const rule of [
      newRule(),
      number,
      { ...number, values: [{ kind: 'number', text: 'x' }] } as const,
      {
        ...counted,
        measure: { ...NEW_MEASURE, window: { ...NO_WINDOW, time: { count: '721', unit: 'h' } } },
      } as const,
      { ...counted, measure: { ...NEW_MEASURE, event: 'Paid', where: [newCondition()] } } as const,
      { ...counted, kind: 'measure' } as const,
      {
        ...counted,
        measure: { ...NEW_MEASURE, event: 'Paid', window: { ...NO_WINDOW, kind: 'range' } },
      } as const,
      newSequence(),
      changeSteps(aSequence(), [aStep()]),
      { ...aSequence(), absent: aStep() },
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
    expect(write([counted, aSequence()])).toBeDefined();
    expect(isGroup(newGroup())).toBe(true);
    expect(isSequence(newSequence())).toBe(true);
  });

  it('mean the trait, where a trait has the name of something else', () => {
    for (const name of ['event_count', 'segments', 'groups', 'groups.plan', 'computed.paid'])
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

  it('have a number or any value of what is made of events, and keep which events they are', () => {
    const measure = { ...NEW_MEASURE, event: 'Paid', of: 'total' };
    const count = { ...changeRule(newRule(), { kind: 'event_count' }), measure };
    const sum = changeRule(count, { kind: 'measure', measure: { ...measure, aggregate: 'sum' } });
    expect(sum).toMatchObject({ measure: { event: 'Paid', of: 'total' }, values: [{ kind: 'number' }] });
    const first = changeRule(sum, { measure: { ...measure, aggregate: 'first' } });
    expect(first.values).toEqual([{ kind: 'text', text: '' }]);
    const written = { ...sum, values: [{ kind: 'number', text: '5' }] } as const;
    expect(changeRule(written, { measure: first.measure }).values).toEqual(written.values);
    const last = changeRule(sum, { measure: { ...measure, aggregate: 'last' }, operator: 'starts_with' });
    expect(last).toMatchObject({ operator: 'starts_with', values: [{ kind: 'text' }] });
    expect(changeRule(last, { measure: { ...measure, aggregate: 'max' } }).operator).toBe('gte');
    expect(changeRule(sum, { kind: 'trait' }).measure).toEqual(NEW_MEASURE);
  });

  it('begin with what is mostly meant, until something is chosen or written', () => {
    const operatorOf = (rule: NodeDraft): unknown => 'operator' in rule && rule.operator;
    const sum = changeRule(newRule(), { kind: 'measure', measure: { ...NEW_MEASURE, aggregate: 'sum' } });
    expect(operatorOf(newRule())).toBe('eq');
    expect(operatorOf(sum)).toBe('gte');
    const aggregate = (name: 'last' | 'max'): object => ({ measure: { ...NEW_MEASURE, aggregate: name } });
    expect(operatorOf(changeRule(sum, aggregate('last')))).toBe('eq');
    expect(operatorOf(changeRule(changeRule(sum, { operator: 'lt' }), aggregate('last')))).toBe('lt');
    const last = changeRule(sum, aggregate('last'));
    const written = changeRule(last, { values: [{ kind: 'number', text: '5' }] });
    expect(operatorOf(changeRule(written, aggregate('max')))).toBe('eq');
    expect(operatorOf(changeRule(last, { ...aggregate('max'), operator: 'eq' }))).toBe('eq');
  });

  it('are written as far as they are complete', () => {
    const complete = { ...newRule(), name: 'plan', values: [{ kind: 'text', text: 'pro' }] } as const;
    const inner = { ...newGroup(), rules: [newRule(), complete] };
    const rules = [newRule(), complete, newSequence(), { ...newGroup(), rules: [inner, newGroup()] }];
    const plan = { field: 'plan', operator: 'eq', value: 'pro' };
    const group = { match: 'any', rules: [{ match: 'any', rules: [plan] }] };
    expect(writeComplete({ ...newGroup(), match: 'all', rules })).toEqual({
      match: 'all',
      rules: [plan, group],
    });
    expect(writeComplete({ ...newGroup(), rules: [newGroup()] }).rules).toEqual([]);
  });

  it('have the operators of the computed trait that is chosen', () => {
    const computed = changeRule(newRule(), { kind: 'computed' }, AGGREGATE_OF);
    expect(computed).toMatchObject({ operator: 'eq', values: [{ kind: 'text' }] });
    expect(changeRule(computed, { name: 'sum' }, AGGREGATE_OF).values).toEqual([
      { kind: 'number', text: '' },
    ]);
  });

  it('have no time before the first step', () => {
    const { steps } = changeSteps(aSequence(), [aStep({ within: { count: '2', unit: 'd' } }), aStep()]);
    expect(steps.map(({ within }) => within.count)).toEqual(['', '']);
  });

  it('have no time for all steps where one is left', () => {
    const allWithin = { count: '7', unit: 'd' } as const;
    const sequence = { ...aSequence(), allWithin };
    expect(changeSteps(sequence, [aStep(), aStep()])).toMatchObject({ allWithin });
    expect(changeSteps(sequence, [aStep()])).toMatchObject({ allWithin: { count: '' } });
  });
});
