import type { Client } from 'pg';
import type { JsonValue } from '../../src/events/customer-event';
import { SqlValues } from '../../src/language/sql-values';
import { valueAt } from '../../src/events/event-path';
import { compileOperator } from '../../src/language/compile-operator';
import { OPERATORS } from '../../src/language/operators';
import { EventFields } from '../../src/segments/rules/sql/event-fields';
import { eventTestToSql } from '../../src/segments/rules/sql/event-test-to-sql';
import { compileMayCount } from '../../src/segments/rules/memory/may-count';
import { measuresOf } from '../../src/segments/rules/predicate';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import { anyEvent } from '../support/any-event';
import { VALUES } from '../support/rule-oracle';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

/** Numbers of more digits than a double has, and what PostgreSQL can hold none of. */
const WRITTEN = [
  '5.0000000000000000001',
  '4.9999999999999999999',
  '9007199254740993',
  '9007199254740992',
  '1234567890123456789',
  '0.1234567890123456789',
  '1e-400',
  '[9007199254740993, 0.10000000000000000001]',
  '0.1',
  '0.1000000000000000055511151231257827',
  '-0.0',
  '1e400',
  '5e0',
  '1e200000',
  '"\\u0000"',
  '"\\ud800"',
  '{"a": 1e200000}',
];

describe('an event that surely does not count', () => {
  let database: ConnectedDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await connectTestDatabase();
    client = database.client;
  });
  afterAll(() => database.drop());

  it.each(OPERATORS)(
    'is none that PostgreSQL counts, of every value with every value: %s',
    async (operator) => {
      const texts = [undefined, ...VALUES.map((value) => JSON.stringify(value)), ...WRITTEN];
      const payloads = texts.flatMap((text) => [
        `{"type": "track", "properties": {${text === undefined ? '' : `"total": ${text}`}}}`,
        `{"type": "track", "properties": {"other": 1e200000${text === undefined ? '' : `, "total": ${text}`}}}`,
      ]);
      const events = payloads.map((payload) => anyEvent(JSON.parse(payload)));
      const missed: unknown[] = [];
      const different: unknown[] = [];
      let compared = 0;
      let excluded = 0;
      for (const value of valuesFor(operator)) {
        for (const field of ['properties.total', 'properties.total.0']) {
          const rule = {
            event: 'Paid',
            where: [{ field, operator, value }],
            within: '9d',
            operator: 'gt',
            value: 0,
          };
          const parsed = parseRules([rule]);
          if (!parsed.ok) continue;
          const [asked] = measuresOf(parsed.predicate);
          if (asked === undefined) throw new Error('no measure');
          const values = new SqlValues();
          const fields = new EventFields(values);
          const sent = values.add(payloads, 'text[]');
          const { rows } = await client.query<{ counts: boolean; isHeld: boolean }>(
            `select ${eventTestToSql(asked.measure, fields)} as counts, s.payload is not null as "isHeld"
           from (select event_content(text::json) as payload, at from unnest(${sent}) with ordinality as s(text, at)) as s,
             lateral (select ${fields.columns.join(', ')}) as e
           order by at`,
            [...values.params],
          );
          const mayCount = compileMayCount(asked.measure);
          const [condition] = asked.measure.where;
          const holds = compileOperator(operator, condition?.comparand ?? { kind: 'value', value: null });
          for (const [at, { counts, isHeld }] of rows.entries()) {
            const event = events[at] ?? anyEvent();
            const may = mayCount(event);
            // What filters say of it.
            const value = valueAt(JSON.parse(payloads[at] ?? '{}'), condition?.path ?? []);
            if (isHeld && holds(value, Date.now()) !== counts)
              different.push({ rule, payload: payloads[at], counts });
            if (counts && !may) missed.push({ rule, payload: payloads[at] });
            compared += 1;
            if (!may) excluded += 1;
          }
        }
      }
      expect(missed).toEqual([]);
      expect(different).toEqual([]);
      expect(compared).toBeGreaterThan(100);
      const says = !(operator.startsWith('not_') || operator === 'neq');
      expect(excluded > 0).toBe(says);
    },
  );
});

function valuesFor(operator: string): (JsonValue | undefined)[] {
  if (operator.endsWith('exists')) return [undefined];
  if (operator.endsWith('in'))
    return VALUES.map((value, at) => [value, VALUES[(at * 7) % VALUES.length] ?? null]);
  return [...VALUES];
}
