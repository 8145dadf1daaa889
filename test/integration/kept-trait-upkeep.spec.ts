import { uuidv7 } from 'uuidv7';
import type { JsonValue, Subject } from '../../src/events/customer-event';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { SegmentUpkeep } from '../../src/segments/computing/segment-upkeep';
import { NO_USE, noteTraitUse } from '../../src/segments/computed-traits/trait-uses';
import { factColumnsSql, type FactsRow, factsOf } from '../../src/profiles/state/profile-row';
import { ActiveSegments } from '../../src/segments/definitions/active-segments';
import { forgetErasedValues } from '../../src/segments/computed-traits/forget-values';
import { Membership } from '../../src/segments/membership/membership';
import type { PersonChange } from '../../src/segments/membership/person-change';
import type { MeasureDefinition } from '../../src/segments/rules/named-measures';
import { anyEvent } from '../support/any-event';
import { eventually } from '../support/eventually';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const PEOPLE = 700;
const COUNT: MeasureDefinition = { event: 'Letter', aggregate: 'count', within: '30d' };
const LAST: MeasureDefinition = { event: 'Letter', aggregate: 'last', of: 'properties.n', within: '30d' };

describe('the upkeep of computed traits', () => {
  let test: TestDatabase;
  let config: Config;
  let database: Database;
  let upkeep: SegmentUpkeep;
  const destinationId = uuidv7();

  beforeAll(async () => {
    test = await createTestDatabase();
    config = Config.from({ CDP_DATABASE_URL: test.url });
    database = new Database(config);
    upkeep = new SegmentUpkeep(database, new ActiveSegments(database, config));
    await database.query(
      `insert into profile (subject, event_count) select 'u:' || lpad(n::text, 6, '0'), 2
       from generate_series(1, ${PEOPLE}) n`,
    );
    // Every seventh has none.
    await database.query(
      `insert into event (subject, "timestamp", id, source_id, type, name, payload)
       select 'u:' || lpad(n::text, 6, '0'), now() - interval '1 hour',
         (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n * 2 + twice), 12, '0'))::uuid,
         gen_random_uuid(), 'track', 'Letter', json_build_object('properties', json_build_object('n', n))
       from generate_series(1, ${PEOPLE}) n, generate_series(1, 2) twice where n % 7 > 0`,
    );
  });
  afterAll(async () => {
    await database.pool.end();
    await test.drop();
  });
  afterEach(async () => {
    await database.query('truncate computed_trait, trait_use, kept_trait, computed_value');
  });

  it('computes what is needed for everybody, tells of nobody, and removes it when nobody needs it', async () => {
    const [count, last] = [await define('count', COUNT), await define('last', LAST)];
    await define('other', COUNT);
    await need(['count', 'last']);
    expect(await finish()).toEqual([]);
    expect(await statesOf()).toEqual({ [count]: 'live', [last]: 'live' });
    expect(await valueOf('u:000001', count)).toBe(2);
    expect(await valueOf('u:000008', last)).toBe(8);
    expect(await countValues()).toBe(1_200);
    await need(['last']);
    await finish();
    expect(await statesOf()).toEqual({ [last]: 'live' });
    expect(await countValues()).toBe(600);
    await need([]);
    await finish();
    expect([await statesOf(), await countValues()]).toEqual([{}, 0]);
  });

  it('does a step again whose transaction was lost, and goes on behind those that were not', async () => {
    const id = await define('count', COUNT);
    await need(['count']);
    await untilCursor('u:000500');
    const before = await rows();
    await expect(
      database.transaction(async (tx) => {
        expect(await upkeep.step(tx)).toMatchObject({ busy: true });
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    await finish();
    expect(await statesOf()).toEqual({ [id]: 'live' });
    expect(await rows()).toEqual(expect.arrayContaining(before));
    expect(await countValues()).toBe(600);
  });

  it('comes back to people whose profiles were locked, unless they are erased meanwhile', async () => {
    const id = await define('count', COUNT);
    await need(['count']);
    await database.transaction(async (other) => {
      await other.query(
        `select from profile where subject = any(array['u:000002', 'u:000003', 'u:000004']) for update`,
      );
      await untilCursor('u:000500');
      expect(await leftOut()).toEqual(['u:000002', 'u:000003', 'u:000004']);
      await database.transaction((tx) => forgetErasedValues(['u:000003'], tx));
      expect(await leftOut()).toEqual(['u:000002', 'u:000004']);
      await other.query(`delete from profile where subject = 'u:000004'`);
    });
    await eventually(async () => {
      await finish();
      expect(await statesOf()).toEqual({ [id]: 'live' });
    });
    expect(await valueOf('u:000002', id)).toBe(2);
    expect(await valueOf('u:000003', id)).toBeUndefined();
    await database.query(`insert into profile (subject, event_count) values ('u:000004', 2)`);
  });

  it('takes fewer people at once after a failure, and does not give up', async () => {
    const id = await define('count', COUNT);
    await need(['count']);
    await untilCursor('u:000500');
    await database.query(`alter table computed_value add constraint broken_ck check (subject <> 'u:000699')`);
    await step();
    expect(await progress()).toEqual({ cursor: 'u:000500', failures: 1 });
    await database.query('update kept_trait set failures = 3, run_after = now()');
    await step();
    expect(await progress()).toEqual({ cursor: 'u:000562', failures: 0 });
    await database.query('alter table computed_value drop constraint broken_ck');
    await finish();
    expect(await statesOf()).toEqual({ [id]: 'live' });
    expect(await countValues()).toBe(600);
  });

  it('passes over somebody with whom it fails again and again, and goes on with other traits meanwhile', async () => {
    const id = await define('count', COUNT);
    await need(['count']);
    await untilCursor('u:000500');
    await database.query(
      `alter table computed_value add constraint broken_ck check (subject <> 'u:000502' or value <> '2')`,
    );
    await database.query('update kept_trait set failures = 8');
    await step();
    expect(await progress()).toEqual({ cursor: 'u:000501', failures: 0 });
    await database.query('update kept_trait set failures = 11');
    await step();
    expect(await progress()).toEqual({ cursor: 'u:000501', failures: 12 });
    const last = await define('last', LAST);
    await need(['count', 'last']);
    await finish();
    expect(await statesOf()).toEqual({ [id]: 'computing', [last]: 'live' });
    await database.query('update kept_trait set run_after = now()');
    await finish();
    expect(await statesOf()).toEqual({ [id]: 'live', [last]: 'live' });
    expect([await valueOf('u:000502', id), await countValues()]).toEqual([0, 1_200]);
    await database.query('alter table computed_value drop constraint broken_ck');
    await database.query(`update computed_value set due_at = now() where subject = 'u:000502'`);
    await finish();
    expect(await valueOf('u:000502', id)).toBe(2);
  });

  it('tells later of somebody whose events take long to read, and keeps the value until then', async () => {
    const [count, last] = [await define('count', COUNT), await define('last', LAST)];
    await need(['count', 'last']);
    await finish();
    // u:000007 had no event, and has one now.
    for (const subject of ['u:000001', 'u:000007'] as const) {
      await database.query(
        `insert into event (subject, "timestamp", id, source_id, type, name, payload)
         values ($1, now(), $2, gen_random_uuid(), 'track', 'Letter', '{"properties": {"n": 9}}')`,
        [subject, uuidv7()],
      );
      await database.query('update profile set event_count = 100000 where subject = $1', [subject]);
      const touched = await database.transaction(async (tx) => {
        const [row] = await tx.query<FactsRow & Record<string, unknown>>(
          `select ${factColumnsSql} from profile p where subject = $1 for update`,
          [subject],
        );
        if (row === undefined) throw new Error('no profile');
        const facts = factsOf(row);
        const events = [anyEvent({ event: 'Letter', properties: { n: 9 } })];
        const nothingElse = { created: false, changedTraits: [], groupsChanged: false, mergedSubjects: [] };
        const membership = new Membership(new ActiveSegments(database, config));
        return membership.reevaluate({ profiles: [{ facts, events, ...nothingElse }], groups: [] }, tx);
      });
      expect(touched).toEqual([]);
    }
    expect([await valueOf('u:000001', count), await valueOf('u:000007', count)]).toEqual([2, 0]);
    const told = (await finish()).map((change) => ({ ...change, at: '' }));
    const change = { change: 'changed', at: '' };
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        { ...change, trait: 'count', subject: 'u:000001', value: 3, previous: 2 },
        { ...change, trait: 'last', subject: 'u:000001', value: 9, previous: 1 },
        { ...change, trait: 'count', subject: 'u:000007', value: 1, previous: 0 },
        { ...change, trait: 'last', subject: 'u:000007', value: 9, previous: null },
      ]),
    );
    expect(await valueOf('u:000007', last)).toBe(9);
    await database.query(`delete from event where payload #>> '{properties,n}' = '9' and subject = any($1)`, [
      ['u:000001', 'u:000007'],
    ]);
    await database.query('update profile set event_count = 2');
  });

  it('begins anew when what is counted changes', async () => {
    const id = await define('count', COUNT);
    await need(['count']);
    await untilCursor('u:000500');
    await database.query('update computed_trait set definition = $2 where id = $1', [id, LAST]);
    await finish();
    expect(await statesOf()).toEqual({ [id]: 'live' });
    expect(await valueOf('u:000002', id)).toBe(2);
    expect(await valueOf('u:000008', id)).toBe(8);
    expect(await countValues()).toBe(600);
  });

  it('rests while all values that are left to remove are locked', async () => {
    await define('count', COUNT);
    await need(['count']);
    await finish();
    await need([]);
    await database.transaction(async (other) => {
      // As a merge does it.
      await other.query(`delete from computed_value where subject = 'u:000001'`);
      await finish();
      expect(await countValues()).toBe(1);
      expect(Object.values(await statesOf())).toEqual(['discarding']);
      await other.query(`insert into computed_value select 'u:none', generation, 'null' from kept_trait`);
    });
    await eventually(async () => {
      await finish();
      expect([await statesOf(), await countValues()]).toEqual([{}, 0]);
    });
  });

  async function define(name: string, definition: MeasureDefinition): Promise<string> {
    const id = uuidv7();
    await database.query(
      `insert into computed_trait (id, name, description, definition, version) values ($1, $2, '', $3, 1)`,
      [id, name, definition],
    );
    return id;
  }

  async function need(names: readonly string[]): Promise<void> {
    await database.transaction((tx) => noteTraitUse(destinationId, { ...NO_USE, names }, tx));
  }

  async function step(): Promise<{ changes: readonly PersonChange[]; busy: boolean }> {
    return database.transaction((tx) => upkeep.step(tx));
  }

  async function finish(): Promise<PersonChange[]> {
    const changes: PersonChange[] = [];
    for (;;) {
      const done = await step();
      changes.push(...done.changes);
      if (!done.busy) return changes;
    }
  }

  async function untilCursor(cursor: string): Promise<void> {
    for (let count = 0; (await progress())?.cursor !== cursor; count += 1) {
      expect(count).toBeLessThan(100);
      await step();
    }
  }

  async function progress(): Promise<{ cursor: string; failures: number } | undefined> {
    const [row] = await database.query<{ cursor: string; failures: number }>(
      'select cursor, failures from kept_trait',
    );
    return row;
  }

  async function leftOut(): Promise<Subject[]> {
    const [row] = await database.query<{ left: Subject[] }>(
      'select array(select unnest(left_out) order by 1) as left from kept_trait',
    );
    return row?.left ?? [];
  }

  async function statesOf(): Promise<Record<string, string>> {
    const found = await database.query<{ id: string; state: string }>(
      'select trait_id as id, state from kept_trait',
    );
    return Object.fromEntries(found.map(({ id, state }) => [id, state]));
  }

  async function valueOf(subject: Subject, traitId: string): Promise<JsonValue | undefined> {
    const [row] = await database.query<{ value: JsonValue }>(
      `select v.value from computed_value v join kept_trait k on k.generation = v.generation
       where v.subject = $1 and k.trait_id = $2`,
      [subject, traitId],
    );
    return row?.value;
  }

  function rows(): Promise<unknown[]> {
    return database.query('select subject, xmin::text from computed_value');
  }

  async function countValues(): Promise<number> {
    return (await rows()).length;
  }
});
