import { measureOf } from '../../../../../test/support/random-event-rules';
import {
  MAX_DEPTH as SERVICE_MAX_DEPTH,
  MAX_STEPS as SERVICE_MAX_STEPS,
  MAX_WHERE as SERVICE_MAX_WHERE,
  MAX_WITHIN_DAYS,
  MAX_WITHIN_HOURS,
} from '../../../../../src/segments/rules/parsing/limits';
import { OPERATORS } from '../../../../../src/language/operators';
import { readComparand } from '../../../../../src/language/parse-comparand';
import { InputProblems } from '../../../../../src/platform/http/input/input-problems';
import {
  comparedOf as serviceComparedOf,
  operatorApplies,
} from '../../../../../src/segments/rules/parsing/field-operators';
import { AGGREGATES as SERVICE_AGGREGATES } from '../../../../../src/segments/rules/measure';
import { parseField } from '../../../../../src/segments/rules/parsing/parse-field';
import type { Field } from '../../../../../src/segments/rules/predicate';
import { AGGREGATES, type Aggregate } from '../../../shared/segments/aggregates';
import { MAX_WHERE } from '../../../shared/segments/events/event-test-draft';
import { WINDOW_LIMITS } from '../../../shared/segments/events/time-draft';
import { OPERATOR_WORDS } from '../../../shared/segments/language-words';
import {
  arityOf,
  type Compared,
  OPERATORS_OF,
  type ValueKind,
  valueKindsOf,
} from '../../../shared/segments/values/value-language';
import { MAX_DEPTH } from './rule-draft';
import { comparedOf, FIELD_KINDS, type FieldKind } from './rule-language';
import { MAX_STEPS } from './sequence-draft';

const AGGREGATE_OF = new Map(SERVICE_AGGREGATES.map((aggregate) => [aggregate as string, aggregate]));

const named = (text: string): Field => {
  const field = parseField(text);
  if (field === undefined) throw new Error(`${text} is no field.`);
  return field;
};
/** What the service takes each kind of rule for. */
const FIELDS: Readonly<Record<FieldKind, (aggregate: Aggregate) => Field>> = {
  trait: () => named('plan'),
  group_trait: () => named('groups.plan'),
  event_count: () => named('event_count'),
  measure: measureOf,
  computed: measureOf,
  first_seen: () => named('first_seen'),
  last_seen: () => named('last_seen'),
  groups: () => named('groups'),
  segments: () => named('segments'),
};
const VALUES: Readonly<Record<ValueKind, unknown>> = {
  text: '2026-01-31',
  number: 5,
  boolean: true,
  null: null,
  json: ['a'],
};

describe('the language of rules that the builder knows', () => {
  it('has the operators, aggregates and bounds that the service has', () => {
    expect(Object.keys(OPERATOR_WORDS)).toEqual([...OPERATORS]);
    expect(Object.keys(AGGREGATES)).toEqual([...SERVICE_AGGREGATES]);
    expect([MAX_DEPTH, MAX_STEPS, MAX_WHERE]).toEqual([
      SERVICE_MAX_DEPTH,
      SERVICE_MAX_STEPS,
      SERVICE_MAX_WHERE,
    ]);
    expect(WINDOW_LIMITS).toEqual({ d: MAX_WITHIN_DAYS, h: MAX_WITHIN_HOURS });
    for (const kind of FIELD_KINDS) {
      for (const aggregate of SERVICE_AGGREGATES) {
        const field = FIELDS[kind](aggregate);
        const draft = { kind, name: aggregate, measure: { aggregate } };
        const compared = comparedOf(draft, AGGREGATE_OF);
        expect([kind, compared]).toEqual([kind, serviceComparedOf(field)]);
        expect(OPERATORS_OF[compared]).toEqual(
          OPERATORS.filter((operator) => operatorApplies(operator, field)),
        );
      }
    }
  });

  it.each<Compared>(['anything', 'number', 'time', 'group'])(
    'compares %s with what the service takes',
    (compared) => {
      for (const operator of OPERATORS_OF[compared]) {
        if (arityOf(operator) === 'none') continue;
        const taken = Object.entries(VALUES).filter(([, one]) => {
          const value = arityOf(operator) === 'many' ? [one] : one;
          return readComparand({ value, operator, compared }, '', new InputProblems()) !== undefined;
        });
        expect([operator, taken.map(([name]) => name).toSorted()]).toEqual([
          operator,
          valueKindsOf(compared, operator).toSorted(),
        ]);
      }
    },
  );
});
