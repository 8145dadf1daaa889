import * as fc from 'fast-check';
import { EVENT_TYPES } from '../../src/events/customer-event';
import { OPERATORS } from '../../src/language/operators';
import { type Aggregate, AGGREGATES } from '../../src/segments/rules/measure';
import type { NamedMeasures } from '../../src/segments/rules/named-measures';
import type { MeasureField } from '../../src/segments/rules/predicate';
import { EVENT_NAMES } from './random-segments';

/** Values that go with many operators, and those that go with few. */
const value = fc.oneof(
  fc.integer({ min: -1, max: 6 }),
  fc.constantFrom('pro', '', '2026-01-31'),
  fc.jsonValue({ maxDepth: 1 }),
  fc.array(fc.oneof(fc.integer(), fc.string()), { minLength: 1, maxLength: 3 }),
);
const path = fc.constantFrom('properties.total', 'type', 'a\\.b.c', 'properties.items.0.id');
/** A condition on an event as a client may write it; some are refused. */
export const randomCondition = fc
  .record({ field: path, operator: fc.constantFrom(...OPERATORS), value })
  .map(({ value: given, ...test }) =>
    test.operator === 'exists' || test.operator === 'not_exists' ? test : { ...test, value: given },
  );
const where = fc.array(randomCondition, { minLength: 1, maxLength: 2 });
const event = fc.constantFrom(...EVENT_NAMES);
const type = fc.constantFrom(...EVENT_TYPES);
/** Some are longer than a window may be. */
const within = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom('d', 'h'))
  .map(([count, unit]) => `${count}${unit}`);
const window = fc.oneof(
  fc.record({ within }),
  fc.record({ from: fc.constant('2026-11-01'), to: fc.constant('2026-12-01 10:00') }, { requiredKeys: [] }),
);

/** Rules about what is in stored events as a client may write them; many are refused. */
export const randomMeasureRule = fc
  .record(
    {
      field: fc.constant('event_count'),
      event,
      type,
      where,
      aggregate: fc.constantFrom(...AGGREGATES),
      of: path,
      window,
      operator: fc.constantFrom(...OPERATORS),
      value,
    },
    { requiredKeys: ['event', 'window', 'operator'] },
  )
  // What goes with the aggregate and the operator mostly, and not only by luck.
  .map(({ of, value: given, window: written, ...rule }) => ({
    ...rule,
    ...written,
    ...(rule.aggregate === undefined || rule.aggregate === 'count' ? {} : { of: of ?? 'properties.total' }),
    ...(rule.operator === 'exists' || rule.operator === 'not_exists' ? {} : { value: given ?? 5 }),
  }));

const time = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom('d', 'h', 'm'))
  .map(([count, unit]) => `${count}${unit}`);
const step = fc.record({ event, type, where, within: time }, { requiredKeys: ['event'] });

/** Sequences as a client may write them. */
export const randomSequenceRule = fc
  .record(
    { sequence: fc.array(step, { minLength: 1, maxLength: 5 }), allWithin: time, not: step, window },
    { requiredKeys: ['sequence', 'window'] },
  )
  // Nothing is before the first step.
  .map(
    ({
      sequence: [{ event: name, where: tests } = { event: 'Order' }, ...others],
      window: written,
      ...rule
    }) => ({
      ...rule,
      ...written,
      sequence: [{ event: name, ...(tests && { where: tests }) }, ...others],
    }),
  );

/** What the service takes a rule of this aggregate for. */
export function measureOf(aggregate: Aggregate): MeasureField {
  return {
    kind: 'measure',
    measure: { event: 'Paid', where: [], aggregate, ...(aggregate === 'count' ? {} : { of: ['total'] }) },
    window: { unit: 'day', count: 30 },
  };
}

/** A computed trait of each aggregate, which bears its name. */
export const TRAITS: NamedMeasures = new Map(
  AGGREGATES.map((aggregate) => [aggregate, measureOf(aggregate)]),
);
