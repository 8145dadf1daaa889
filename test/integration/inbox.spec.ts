import * as fc from 'fast-check';
import { Client } from 'pg';
import type { CustomerEvent } from '../../src/events/customer-event';
import { buryEvent, type Revival, reviveEvent, unfiledEvents } from '../../src/events/inbox/dead-events';
import { takeFirstOfInboxRow, takeInboxRows } from '../../src/events/inbox/inbox-rows';
import { eventTables } from '../../src/events/partitions/event-tables';
import { makePartitions } from '../../src/events/partitions/make-partitions';
import { Config } from '../../src/platform/config/config';
import type { Database } from '../../src/platform/database/database';
import { newRowId } from '../../src/platform/database/connections/database-clock';
import { LostRaceError } from '../../src/platform/database/failure';
import { anyEvent } from '../support/any-event';
import { InboxToProfiles } from '../support/inbox-to-profiles';
import { modelProfiles } from '../support/profile-model';
import { asEvents, cut, randomHistory } from '../support/random-history';
import { storedPeople } from '../support/stored-people';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the way from the inbox to the profiles', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let config: Config;
  let way: InboxToProfiles;
  let markers = 0;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    config = Config.from({
      CDP_DATABASE_URL: testDatabase.url,
      CDP_ENCRYPTION_KEY: 'some-encryption-key',
    });
    const client = new Client({ connectionString: testDatabase.url });
    await client.connect();
    await makePartitions(client, eventTables(config), Date.now());
    await client.query(`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if new.subject like '%poison%' then raise exception 'this one' using errcode = '22000'; end if;
        if new.subject like '%outage%' then raise exception 'disk full' using errcode = '53100'; end if;
        if new.subject like '%endless%' then raise exception 'too long' using errcode = '57014'; end if;
        return new;
      end $$;
      create trigger refuse_poison before insert on profile for each row execute function refuse_poison()`);
    await client.end();
    way = new InboxToProfiles(config);
    database = way.database;
  });
  afterAll(async () => {
    await way.close();
    await testDatabase.drop();
  });

  const accept = (events: readonly CustomerEvent[]): Promise<string | undefined> => way.accept(events);
  const process = (...inboxIds: string[]): Promise<unknown> => way.processTogether(inboxIds);
  const inboxSize = async (): Promise<number> => (await database.query('select id from inbox')).length;

  it('counts every accepted event once, however often it is sent and its job is run', async () => {
    const history = randomHistory(true, 50).chain((shapes) =>
      fc.record({
        shapes: fc.constant(shapes),
        sent: fc.array(fc.nat(shapes.length - 1), { maxLength: 30 }),
        sizes: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 4 }),
        atHand: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(history, async ({ shapes, sent, sizes, atHand }) => {
        const marker = `-${(markers += 1)}y`;
        const events = asEvents(shapes, marker);
        const resent = sent.map((index) => ({ ...events[index]!, id: anyEvent().id }));
        const inboxIds: string[] = [];
        for (const request of cut([...events, ...resent], sizes)) {
          // Of one message the first is kept.
          const distinct = new Map(request.toReversed().map((event) => [event.messageId, event]));
          const inboxId = await accept(
            [...distinct.values()]
              .toReversed()
              .map((event) => ({ ...event, messageId: event.messageId + marker })),
          );
          if (inboxId !== undefined) inboxIds.push(inboxId);
        }
        const jobs = [...cut(inboxIds, sizes), ...inboxIds.toReversed().map((id) => [id])];
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
              await (atHand ? way.processAtHand(job) : process(...job));
            }
          }),
        );
        expect(await inboxSize()).toBe(0);
        expect(await storedPeople(marker, database)).toEqual(modelProfiles(events));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('processes of rows that are at hand what is still in them', async () => {
    const events = ['h1', 'h2', 'h3'].map((userId) => anyEvent({ userId: `${userId}-h` }));
    const shrunk = await accept(events.slice(0, 2));
    const whole = await accept(events.slice(2));
    await database.transaction((tx) => takeFirstOfInboxRow(shrunk!, tx));
    await way.processAtHand([shrunk!, whole!]);
    await way.processAtHand([shrunk!, whole!]);
    expect(await inboxSize()).toBe(0);
    expect((await storedPeople('-h', database)).map(({ subjects }) => subjects)).toEqual([
      ['u:h2-h'],
      ['u:h3-h'],
    ]);
  });

  it('has done nothing to rows at hand that another worker turns out to have', async () => {
    const inboxId = await accept([anyEvent({ userId: 'w1-w' })]);
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query('delete from inbox where id = $1', [inboxId]);
      await way.processAtHand([inboxId!]);
      expect(await storedPeople('-w', database)).toEqual([]);
      await other.query('rollback');
    } finally {
      other.release();
    }
    await way.processAtHand([inboxId!]);
    expect((await storedPeople('-w', database)).map(({ subjects }) => subjects)).toEqual([['u:w1-w']]);
  });

  it('buries an event that can never be processed, and its neighbours go on', async () => {
    const events = ['n1', 'poison', 'n2'].map((userId) => anyEvent({ userId: `${userId}-p` }));
    const inboxId = await accept(events);
    await accept([anyEvent({ userId: 'n3-p' })]);
    await process(inboxId!);
    expect(await inboxSize()).toBe(1);
    expect((await storedPeople('-p', database)).map(({ subjects }) => subjects)).toEqual([
      ['u:n1-p'],
      ['u:n2-p'],
    ]);
    expect(await unfiledEvents(10, database)).toEqual([
      {
        eventId: events[1]?.id,
        reason: expect.stringContaining('this one'),
        failedAtMs: expect.any(Number),
      },
    ]);
  });

  it('processes the other rows of a job that brings one with such an event', async () => {
    const rows: string[] = [];
    for (const people of [['n4'], ['n5', 'poison', 'n6'], ['n7']]) {
      rows.push((await accept(people.map((userId) => anyEvent({ userId: `${userId}-q` }))))!);
    }
    await process(...rows);
    expect(await database.query('select id from inbox where id = any($1)', [rows])).toEqual([]);
    expect((await storedPeople('-q', database)).map(({ subjects }) => subjects)).toEqual([
      ['u:n4-q'],
      ['u:n5-q'],
      ['u:n6-q'],
      ['u:n7-q'],
    ]);
  });

  it('processes all but what PostgreSQL takes too long for, and buries nobody for that', async () => {
    const rows: string[] = [];
    for (const people of [['n8', 'endless'], ['endless'], ['n9', 'n10'], ['n11'], ['n12']]) {
      rows.push((await accept(people.map((userId) => anyEvent({ userId: `${userId}-r` }))))!);
    }
    const another = new InboxToProfiles(config);
    try {
      await expect(another.processTogether(rows.slice(0, 3))).rejects.toThrow('too long');
      // One that waits may be what took too long: it is not taken along.
      await another.process(rows[3]!);
    } finally {
      await another.close();
    }
    expect((await storedPeople('-r', database)).map(({ subjects }) => subjects)).toEqual(
      ['n10', 'n11', 'n8', 'n9'].map((userId) => [`u:${userId}-r`]),
    );
    expect((await unfiledEvents(10, database)).map(({ reason }) => reason)).not.toContainEqual(
      expect.stringContaining('too long'),
    );
    const left = await database.query<{ id: string }>('delete from inbox where id = any($1) returning id', [
      rows,
    ]);
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([rows[0], rows[1], rows[4]]));
  });

  it('takes events in parts whose people hold more than a transaction may read, and one of them in any case', async () => {
    await database.query(`
      insert into profile (subject, event_count, first_seen_at, last_seen_at, traits)
      select 'u:large-' || p, 1, now(), now(),
        jsonb_build_object('about', repeat('x', case p when 5 then 10000000 else 1000000 end))
      from generate_series(1, 10) as p`);
    const events = Array.from({ length: 10 }, (_, n) => anyEvent({ userId: `large-${n + 1}` }));
    let transactions = 0;
    await way.process((await accept(events))!, async () => (transactions += 1));
    expect(transactions).toBeGreaterThan(1);
    const counts = await database.query(
      "select distinct event_count::int from profile where subject like 'u:large-%'",
    );
    expect(counts).toEqual([{ event_count: 2 }]);
    await database.query("delete from profile where subject like 'u:large-%'");
  });

  it('takes events in parts whose groups hold more than a transaction may read', async () => {
    await database.query(`
      insert into customer_group (group_id, traits, trait_clocks)
      select 'large-' || g, jsonb_build_object('about', repeat('x', 1000000)), '{"about": "0"}'
      from generate_series(1, 10) as g`);
    const events = Array.from({ length: 10 }, (_, n) =>
      anyEvent({ type: 'group', userId: 'member', groupId: `large-${n + 1}`, traits: { about: 'new' } }),
    );
    let transactions = 0;
    await way.process((await accept(events))!, async () => (transactions += 1));
    expect(transactions).toBeGreaterThan(1);
    const traits = await database.query(
      "select distinct traits from customer_group where group_id like 'large-%'",
    );
    expect(traits).toEqual([{ traits: { about: 'new' } }]);
  });

  it('takes the first event of a row only while it is the one that failed', async () => {
    const [bad, good] = ['s1', 's2'].map((userId) => anyEvent({ userId }));
    const inboxId = (await accept([bad!, good!]))!;
    const [first] = await database.query<{ id: string }>(
      'select event_ids[1] as id from inbox where id = $1',
      [inboxId],
    );
    const takeFirst = async (): Promise<string | undefined> =>
      (await takeFirstOfInboxRow(inboxId, database, first!.id))?.id;
    expect(await takeFirst()).toBe(first!.id);
    expect(await takeFirst()).toBeUndefined();
    await process(inboxId);
    expect(await storedPeople('s', database)).toHaveLength(1);
  });

  it('counts what it drops of people who are suppressed once, also in a transaction that lost a race', async () => {
    await way.pseudonyms.prepare();
    await way.suppressions.add(['u:d1-d'], newRowId(), database);
    const inboxId = await accept(['d1-d', 'd2-d'].map((userId) => anyEvent({ userId })));
    let races = 1;
    await way.process(inboxId!, async () => {
      races -= 1;
      if (races >= 0) throw new LostRaceError('once more');
    });
    expect(await way.metrics.text()).toContain('cdp_suppressed_events_total 1\n');
    expect((await storedPeople('-d', database)).map(({ subjects }) => subjects)).toEqual([['u:d2-d']]);
  });

  it('takes rows in the order of their acceptance, wherever they lie', async () => {
    const rows: string[] = [];
    for (const userId of ['t1', 't2', 't3']) rows.push((await accept([anyEvent({ userId })]))!);
    await database.query('update inbox set traces = traces where id = $1', [rows[0]]);
    await database.query('analyze inbox');
    const taken = await database.transaction((tx) => takeInboxRows(rows, tx));
    expect(taken.map(({ id }) => id)).toEqual(rows);
  });

  it('processes a buried event that is given another chance', async () => {
    const event = anyEvent({ userId: 'poison-r' });
    await process((await accept([event]))!);
    await database.query('drop trigger refuse_poison on profile');
    const revive = (): Promise<Revival> => database.transaction((tx) => reviveEvent(event.id, tx));
    expect([await revive(), await revive()]).toEqual(['revived', 'not_dead']);
    for (const { id } of await database.query<{ id: string }>('select id from inbox')) await process(id);
    expect(await storedPeople('poison-r', database)).toHaveLength(1);
    await database.query(
      'create trigger refuse_poison before insert on profile for each row execute function refuse_poison()',
    );
  });

  it('forgets a buried event that is given another chance when it is not stored any more', async () => {
    const event = anyEvent({ userId: 'expired' });
    await buryEvent(event, 'It could not be processed', database);
    const revive = (): Promise<Revival> => database.transaction((tx) => reviveEvent(event.id, tx));
    expect([await revive(), await revive()]).toEqual(['not_stored', 'not_dead']);
    expect(await inboxSize()).toBe(0);
  });

  it('keeps the events in the inbox while the database refuses to work', async () => {
    const inboxId = await accept([anyEvent({ userId: 'outage-1' })]);
    await expect(process(inboxId!)).rejects.toThrow('disk full');
    expect(await inboxSize()).toBe(1);
    await database.query('delete from inbox');
  });
});
