import * as fc from 'fast-check';
import { TRAITS } from '../../../../../test/support/random-event-rules';
import { OPERATORS } from '../../../../../src/language/operators';
import { AGGREGATES } from '../../../../../src/segments/rules/measure';
import { parseRules } from '../../../../../src/segments/rules/parsing/parse-rules';
import { adaptTest } from '../../../shared/segments/values/test-draft';
import type { ValueKind } from '../../../shared/segments/values/value-language';
import { missingInRules } from './missing-in-rules';
import { changeRule, newRule, type NodeDraft } from './rule-draft';
import { FIELD_KINDS } from './rule-language';
import { changeSteps } from './sequence-draft';
import { writeRules } from './write-rules';

const AGGREGATE_OF = new Map(AGGREGATES.map((aggregate) => [aggregate as string, aggregate]));

/** Whatever people can choose and type, field by field; much of it is not complete. */
const text = fc.constantFrom('', '0', '5', '30', '0721', 'x', 'true', '["a"]', '2026-01-31');
const values = fc.array(
  fc.record({ kind: fc.constantFrom<ValueKind>('text', 'number', 'boolean', 'null', 'json'), text }),
  { maxLength: 2 },
);
const test = fc.record({ operator: fc.constantFrom(...OPERATORS), values });
const condition = fc
  .record({ key: fc.constant(''), field: fc.constantFrom('', 'type', 'properties.total'), test })
  .map(({ test: one, ...named }) => ({ ...named, ...adaptTest(one, 'anything') }));
const count = fc.constantFrom('', '0', '7', '030', '721', '9999');
const window = fc.record({
  kind: fc.constantFrom('last' as const, 'range' as const),
  time: fc.record({ count, unit: fc.constantFrom('d' as const, 'h' as const) }),
  from: fc.constantFrom('', '2026-11-01'),
  to: fc.constantFrom('', '2026-12-01T12:00Z'),
});
const time = fc.record({ count, unit: fc.constantFrom('d' as const, 'h' as const, 'm' as const) });
const events = {
  event: fc.constantFrom('', 'Order Completed', 'page'),
  type: fc.constantFrom('', 'track', 'page'),
  where: fc.array(condition, { maxLength: 1 }),
};
const rule = fc
  .record({
    kind: fc.constantFrom(...FIELD_KINDS.filter((kind) => kind !== 'segments')),
    name: fc.constantFrom('', 'plan', 'groups.plan', ...TRAITS.keys()),
    test,
    measure: fc.record({
      ...events,
      window,
      aggregate: fc.constantFrom(...AGGREGATES),
      of: fc.constantFrom('', 'properties.total'),
    }),
  })
  // As people come to it: one thing after the other is chosen.
  .map(({ kind, name, test: one, measure }) =>
    changeRule(
      changeRule(changeRule(newRule(), { kind }, AGGREGATE_OF), { name, measure }, AGGREGATE_OF),
      one,
      AGGREGATE_OF,
    ),
  )
  // Of what is not there, and of times, the service says at its field what is wrong.
  .filter(({ kind, name, values: [value] }) =>
    kind === 'computed' ? TRAITS.has(name) : !kind.endsWith('_seen') || value?.text === '2026-01-31',
  );
const step = fc.record({ key: fc.constant(''), ...events, within: time });
const sequence = fc
  .record({
    steps: fc.array(step, { maxLength: 4 }),
    allWithin: time,
    absent: fc.option(step, { nil: undefined }),
    window,
  })
  .map((draft) => changeSteps({ key: '', ...draft }, draft.steps));
const anyNode: fc.Arbitrary<NodeDraft> = fc.oneof(rule, sequence);

describe('what people type into the builder of rules', () => {
  it('is rules that the service takes, as soon as nothing is missing', () => {
    let written = 0;
    fc.assert(
      fc.property(fc.array(anyNode, { minLength: 1, maxLength: 2 }), (rules) => {
        const definition = writeRules({ key: '', match: 'all', not: false, rules });
        if (definition === undefined) return;
        written += 1;
        expect(parseRules(definition.rules, definition.match, TRAITS)).toMatchObject({ ok: true });
      }),
      { numRuns: 2_000 },
    );
    expect(written).toBeGreaterThan(200);
  });

  it('is told to be missing as long as it is no rules, and not longer', () => {
    fc.assert(
      fc.property(fc.array(anyNode, { minLength: 1, maxLength: 2 }), (rules) => {
        const group = { key: '', match: 'all', not: false, rules } as const;
        expect(missingInRules(group).length > 0).toBe(writeRules(group) === undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});
