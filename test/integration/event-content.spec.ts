import * as fc from 'fast-check';
import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { MAX_AHEAD_MS } from '../../src/events/event-time';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { matchingEventsSql } from '../../src/events/reading/matching-events-sql';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

const WEEK_MS = 7 * DAY_MS;

describe('what rules read in stored events', () => {
  let database: ConnectedDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await connectTestDatabase();
    client = database.client;
  });
  afterAll(() => database.drop());

  /** As it is read, and as it is read with an eye on every error. */
  async function read(json: string): Promise<{ content: string | null; checked: string | null }> {
    const { rows } = await client.query(
      'select event_content($1::json)::text as content, checked_event_content($1::json)::text as checked',
      [json],
    );
    return rows[0];
  }

  it.each([
    ['{"n": 1e131071}', true],
    ['{"n": 1e131072}', false],
    ['{"n": 1E+0131072}', false],
    ['{"n": 1e-16383}', true],
    ['{"n": 1e-16384}', false],
    ['{"n": 0.<16383 zeros>1}', false],
    ['{"n": 1<131072 zeros>}', false],
    ['{"n": 0.<7000 zeros>1e-9999}', false],
    ['{"n": 0.<15500 zeros>1e-999}', false],
    ['{"n": 0.<14900 zeros>1e-999}', true],
    ['{"n": 0.<6380 zeros>1e-9999}', true],
    ['{"n": 1<14900 zeros>e+999}', true],
    ['{"n": 0e99999}', true],
    ['{"t": "e123456"}', true],
    ['{"t": "\\u0000"}', false],
    ['{"t": "\\ud800"}', false],
    ['{"t": "\\u00e9"}', true],
    ['{"t": "\\\\u0000"}', true],
  ])('of %j is what PostgreSQL can hold, and else nothing', async (json, isHeld) => {
    const long = json.replace(/<(\d+) zeros>/, (_, count) => '0'.repeat(Number(count)));
    const { content, checked } = await read(long);
    expect(content).toBe(checked);
    expect(content !== null).toBe(isHeld);
  });

  it('raises no error, whatever the numbers and texts are', async () => {
    const number = fc
      .tuple(
        fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?$/),
        fc.integer({ min: -200_000, max: 200_000 }),
      )
      .map(([digits, exponent]) => `${digits}e${exponent}`);
    const text = fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value));
    const member = fc.oneof(number, text, fc.json());
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 4 }), async (members) => {
        const { content, checked } = await read(`{"a": [${members.join(',')}]}`);
        expect(content).toBe(checked);
      }),
      { numRuns: 100 },
    );
  });

  it('is in the partitions of the window alone, also for clocks that were ahead', async () => {
    const now = Date.now();
    const newest = Math.floor(now / WEEK_MS);
    for (let week = newest - 30; week < newest - 1; week += 1) {
      await client.query(
        `create table event_of_${week} partition of event
         for values from ('${lowestId(week * WEEK_MS)}') to ('${lowestId((week + 1) * WEEK_MS)}')`,
      );
    }
    // Received four weeks ago from a clock that was a day ahead: the first moment of the window.
    const sinceMs = newest * WEEK_MS - 4 * WEEK_MS;
    const id = lowestId(sinceMs - MAX_AHEAD_MS).replace(/0$/, '1');
    await client.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       values ('u:ahead', to_timestamp($1::float8 / 1000), $2, $3, 'track', 'Bought', '{"n": 1}')`,
      [sinceMs, id, uuidv7()],
    );
    const from = matchingEventsSql({
      subjects: `select 'u:ahead' as subject`,
      names: `'{Bought}'::text[]`,
      since: 'to_timestamp($1::float8 / 1000)',
    });
    const { rows } = await client.query(`select e.id from ${from}`, [sinceMs]);
    expect(rows).toEqual([{ id }]);
    const plan = await client.query(`explain (analyze, format json) select e.id from ${from}`, [sinceMs]);
    const touched = new Set(JSON.stringify(plan.rows).match(/"event_(of|d)[0-9_]*"/g));
    expect(touched.size).toBeLessThanOrEqual(9);
  });
});
