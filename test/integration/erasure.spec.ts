import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { DeliveryTables } from '../../src/delivery/upkeep/delivery-tables';
import { insertDeliveries } from '../../src/delivery/ledger/insert-deliveries';
import type { DeliveryOutcome } from '../../src/delivery/ledger/recording/delivery-outcome';
import { readLastAnswers } from '../../src/delivery/ledger/dead-letters/read-last-answers';
import { parkAndLogProbes } from '../../src/delivery/ledger/waiting/park-probe';
import { recordAndLogOutcomes } from '../../src/delivery/ledger/recording/record-outcomes';
import { theService } from '../../src/platform/auth/principal';
import { Config } from '../../src/platform/config/config';
import { ProfileLimits } from '../../src/profiles/state/profile-limits';
import { buryEvent, reviveEvent } from '../../src/events/inbox/dead-events';
import { readWaitingEvents } from '../../src/events/inbox/waiting-events';
import { Partitions } from '../../src/events/partitions/partitions';
import { forgetEvents } from '../../src/events/forget-events';
import { eraseDeliveries } from '../../src/delivery/ledger/ending/erase-deliveries';
import { BulkEraser } from '../../src/privacy/bulk-eraser';
import { beginErasure } from '../../src/privacy/erasure-notes';
import { erasePerson, type ErasedPerson, FamilyGrewError } from '../../src/privacy/erase-person';
import { Family } from '../../src/privacy/family';
import { lowestId } from '../../src/events/partitions/partition-plan';
import { anyEvent } from '../support/any-event';
import { eventually } from '../support/eventually';
import { InboxToProfiles } from '../support/inbox-to-profiles';
import { storedPeople } from '../support/stored-people';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

function anOutcome(deliveryId: string): DeliveryOutcome {
  const claimed = { attempts: 0, attemptLimit: undefined, eventType: 'track', body: '{}', leaseEndsAt: 0 };
  return {
    delivery: { id: deliveryId, destinationId: '', ...claimed },
    attempt: 1,
    state: 'delivered',
    waitMs: 0,
    errorClass: undefined,
    status: 200,
    startedAt: new Date(),
    totalMs: 1,
    latency: {},
    answer: 'hello',
    disableDestination: false,
  };
}

describe('deleting a person while events are on their way', () => {
  let testDatabase: TestDatabase;
  let config: Config;
  let way: InboxToProfiles;
  let family: Family;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    config = Config.from({
      CDP_DATABASE_URL: testDatabase.url,
      CDP_ENCRYPTION_KEY: 'some-encryption-key',
    });
    way = new InboxToProfiles(config);
    family = new Family(new ProfileLimits());
  });
  afterAll(async () => {
    await way.close();
    await testDatabase.drop();
  });

  async function erase(userId: string): Promise<ErasedPerson> {
    for (;;) {
      try {
        return await way.database.transaction((tx) => erasePerson(`u:${userId}`, family, tx));
      } catch (error) {
        if (!(error instanceof FamilyGrewError)) throw error;
      }
    }
  }

  async function accept(...events: Record<string, unknown>[]): Promise<string> {
    return (await way.accept(events.map((event) => anyEvent(event))))!;
  }

  /** Tables in which a text is found; only the payloads of events are looked at for what people say of others. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = ['event', 'inbox', 'profile', 'profile_day', 'segment_member', 'dead_event', 'delivery'];
    const found: string[] = [];
    for (const table of tables) {
      const rows = await way.database.query(`select 1 from ${table} as t where t::text like $1 limit 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(table);
    }
    return found;
  }

  /** Until this many connections wait for a lock. */
  const untilWaiting = (count: number): Promise<void> =>
    eventually(async () => {
      const rows = await way.database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(count);
    });

  it('takes what waits, also of the visitor that a waiting event makes the person', async () => {
    await accept(
      { anonymousId: 'v-waits', event: 'Seen' },
      { userId: 'waits', anonymousId: 'v-waits', type: 'identify' },
      { userId: 'neighbour', event: 'Bought' },
    );
    await accept({ userId: 'waits', type: 'alias', previousId: 'older-waits' });
    await accept({ userId: 'older-waits', event: 'Long ago' });
    await erase('waits');
    expect(await tablesWith('waits')).toEqual([]);
    await way.processAll();
    expect(await storedPeople('neighbour', way.database)).toMatchObject([{ eventCount: 1 }]);
    expect(await tablesWith('waits')).toEqual([]);
  });

  it('forgets many events in parts, and none that waits', async () => {
    await way.process(await accept(...Array.from({ length: 5 }, () => ({ userId: 'busy-bee' }))));
    await accept({ userId: 'busy-bee', event: 'Waiting' });
    const part = (): Promise<number> => forgetEvents(['u:busy-bee'], 2, way.database);
    expect([await part(), await part(), await part(), await part()]).toEqual([2, 2, 1, 0]);
    const left = await way.database.query(`select name from event where subject = 'u:busy-bee'`);
    expect(left).toEqual([{ name: 'Waiting' }]);
    await erase('busy-bee');
  });

  it('reads what waits of somebody in parts, in its order, and so tells who the person is', async () => {
    // One row of the inbox each.
    for (let n = 0; n < 40; n += 1) {
      await accept(
        { userId: 'flooded', anonymousId: `v${n % 3}-flooded`, messageId: `flooded-${n}` },
        { userId: 'neighbour-of-the-flood', event: 'Bought' },
      );
    }
    await accept({ userId: 'flooded', type: 'alias', previousId: 'older-flooded' });
    const parts: (readonly string[])[] = [];
    for await (const part of readWaitingEvents(['u:flooded'], way.database)) {
      parts.push(part.map(({ messageId }) => messageId));
    }
    expect(parts.map(({ length }) => length)).toEqual([16, 16, 9]);
    expect(parts.flat().slice(0, -1)).toEqual(Array.from({ length: 40 }, (_, n) => `flooded-${n}`));
    expect(await family.of('u:flooded', way.database)).toEqual([
      'a:older-flooded',
      'a:v0-flooded',
      'a:v1-flooded',
      'a:v2-flooded',
      'u:flooded',
      'u:older-flooded',
    ]);
    await erase('flooded');
  });

  it('deletes waiting events in parts, but for those that tell who the person is', async () => {
    const bulk = new BulkEraser(way.database, family);
    // One row of the inbox each: several parts.
    for (let n = 0; n < 40; n += 1) {
      await accept(
        { userId: 'swamped', anonymousId: n < 30 ? 'v1-swamped' : 'v2-swamped', messageId: `swamped-${n}` },
        { userId: 'swamped', event: 'Plain' },
        { userId: 'neighbour-of-many', event: 'Bought' },
      );
    }
    await accept({ anonymousId: 'v2-swamped', event: 'Seen' });
    await accept({ userId: 'swamped', type: 'alias', previousId: 'older-swamped' });
    await accept({ userId: 'swamped', type: 'alias', previousId: 'older-swamped' });
    await beginErasure({ subject: 'u:swamped', suppress: false, actor: theService('a test') }, way.database);

    await bulk.eraseParts('u:swamped');
    const left = await way.database.query(
      `select subject, payload ->> 'messageId' as message, payload ->> 'type' as type from event
       where payload::text like '%swamped%' order by id`,
    );
    expect(left).toMatchObject([
      { message: 'swamped-0' },
      { message: 'swamped-30' },
      ...['alias', 'alias'].map((type) => ({ subject: 'u:swamped', type })),
    ]);
    const [note] = await way.database.query('select events::int as events from erasure');
    // One of each row has stayed at first; the visitor's own went with the second look.
    expect(note).toEqual({ events: 40 * 2 - 2 + 1 });
    expect((await erase('swamped')).subjects).toEqual(
      expect.arrayContaining(['u:swamped', 'a:v1-swamped', 'a:v2-swamped', 'u:older-swamped']),
    );
    expect(await tablesWith('swamped')).toEqual([]);
    await way.processAll();
    expect(await storedPeople('neighbour-of-many', way.database)).toMatchObject([{ eventCount: 40 }]);
    expect(await tablesWith('swamped')).toEqual([]);
  });

  it('leaves in parts whom another erasure has made somebody else', async () => {
    await way.process(await accept({ userId: 'was-younger' }));
    await accept({ userId: 'was-older', type: 'alias', previousId: 'was-younger' });
    let looks = 0;
    class WatchedFamily extends Family {
      override async of(...args: Parameters<Family['of']>): ReturnType<Family['of']> {
        const found = await super.of(...args);
        looks += 1;
        if (looks > 1) return found;
        expect(found).toContain('u:was-younger');
        await erase('was-older');
        await way.process(await accept({ userId: 'was-younger', event: 'Returned' }));
        return found;
      }
    }
    const bulk = new BulkEraser(way.database, new WatchedFamily(new ProfileLimits()));
    await beginErasure(
      { subject: 'u:was-older', suppress: false, actor: theService('a test') },
      way.database,
    );
    await bulk.eraseParts('u:was-older');
    const stored = await way.database.query(`select name from event where subject = 'u:was-younger'`);
    expect(stored).toEqual([{ name: 'Returned' }]);
    expect(await storedPeople('was-younger', way.database)).toMatchObject([{ eventCount: 1 }]);
  });

  it('leaves a visitor who belongs to somebody else', async () => {
    await way.process(await accept({ userId: 'owner', anonymousId: 'v-shared' }));
    await accept({ userId: 'guest', anonymousId: 'v-shared' });
    await erase('guest');
    expect(await storedPeople('owner', way.database)).toMatchObject([
      { subjects: ['a:v-shared', 'u:owner'] },
    ]);
  });

  it('waits for a worker that is at it, and takes whom that worker linked', async () => {
    const inboxId = await accept({ userId: 'busy', anonymousId: 'v-busy' }, { anonymousId: 'v2-busy' });
    let erasing: Promise<unknown> = Promise.resolve();
    await way.process(inboxId, async (tx) => {
      erasing = erase('busy');
      await untilWaiting(1);
      // What the worker could still do: a link that the deletion cannot know of.
      await tx.query(`update profile set merged_into = 'u:busy' where subject = 'a:v2-busy'`);
    });
    await erasing;
    expect(await tablesWith('busy')).toEqual([]);
  });

  it('takes a dead event that is retried while it runs', async () => {
    const event = anyEvent({ userId: 'retried', event: 'Long ago' });
    await way.process((await way.accept([event]))!);
    await buryEvent(event, 'It could not be processed', way.database);
    let both: Promise<unknown> = Promise.resolve();
    await way.process(await accept({ userId: 'retried' }), async () => {
      const erasing = erase('retried');
      await untilWaiting(1);
      both = Promise.all([erasing, way.database.transaction((tx) => reviveEvent(event.id, tx))]);
      await untilWaiting(2);
    });
    await both;
    await way.processAll();
    expect(await tablesWith('retried')).toEqual([]);
  });

  it('keeps an event that is accepted while it runs, in a profile of its own', async () => {
    await way.process(await accept({ userId: 'late', event: 'Before' }));
    let erasing: Promise<unknown> = Promise.resolve();
    let lateId = '';
    await way.database.transaction(async (tx) => {
      await tx.query(`select from profile where subject = 'u:late' for update`);
      erasing = erase('late');
      await untilWaiting(1);
      lateId = await accept({ userId: 'late', event: 'Meanwhile' });
    });
    await erasing;
    await way.process(lateId);
    const [person] = await storedPeople('late', way.database);
    expect(person).toMatchObject({ eventCount: 1, totals: { Meanwhile: { count: 1 } } });
    expect(await way.database.query(`select from event where subject = 'u:late'`)).toHaveLength(1);
  });

  it('gives a visitor back his own profile when the person he belonged to is deleted meanwhile', async () => {
    await way.process(await accept({ userId: 'left', anonymousId: 'v-left', type: 'identify' }));
    let seen: Promise<unknown> = Promise.resolve();
    await way.database.transaction(async (tx) => {
      await erasePerson('u:left', family, tx);
      // The worker knows that the visitor belongs to the person, and waits for him.
      seen = way.process(await accept({ anonymousId: 'v-left', event: 'Seen' }));
      await untilWaiting(1);
      // Another worker makes the person anew in between.
      await tx.query(`insert into profile (subject, event_count) values ('u:left', 1)`);
    });
    await seen;
    expect(await storedPeople('left', way.database)).toMatchObject([
      { subjects: ['a:v-left'], eventCount: 1 },
      { subjects: ['u:left'], eventCount: 1 },
    ]);
    await way.database.query(`delete from profile where subject = 'u:left'`);
  });

  it('leaves no try of a delivery that is recorded while it is deleted, and keeps the others', async () => {
    const destinationId = randomUUID();
    const partitions = new Partitions(config);
    void new DeliveryTables(partitions, config);
    await partitions.maintain();
    const deliveries = await Promise.all(
      ['tried', 'tried', 'lives', 'lives'].map(async (userId) => {
        const event = anyEvent({ userId });
        const id = uuidv7();
        await way.database.transaction(async (tx) => insertDeliveries([{ id, destinationId, event }], 0, tx));
        return anOutcome(id);
      }),
    );
    // Somebody else was faster with these: nothing is left to change, which is no reason not to log the try.
    const done = deliveries.filter((_, index) => index % 2 === 1).map(({ delivery }) => delivery.id);
    await way.database.query(`update delivery set state = 'delivered' where id = any($1::uuid[])`, [done]);

    let recording: Promise<unknown> = Promise.resolve();
    await way.database.transaction(async (tx) => {
      await eraseDeliveries(['u:tried'], 100, tx);
      recording = Promise.all([
        recordAndLogOutcomes(deliveries.slice(0, 3), 0, way.database),
        recordAndLogOutcomes(deliveries.slice(1), 0, way.database),
        parkAndLogProbes([deliveries[1]!], way.database),
      ]);
      await untilWaiting(3);
    });
    await recording;
    const logged = await way.database.query<{ id: string }>(
      `select distinct delivery_id as id from delivery_attempt order by 1`,
    );
    expect(logged.map(({ id }) => id)).toEqual(
      deliveries
        .slice(2)
        .map(({ delivery }) => delivery.id)
        .sort(),
    );
  });

  it('leaves no try that was recorded by a process whose clock is behind, and it is shown until then', async () => {
    const partitions = new Partitions(config);
    void new DeliveryTables(partitions, config);
    await partitions.maintain();
    const id = lowestId(Date.now() + 2_000).slice(0, 13) + uuidv7().slice(13);
    const event = anyEvent({ userId: 'early' });
    await way.database.transaction(async (tx) =>
      insertDeliveries([{ id, destinationId: randomUUID(), event }], 0, tx),
    );
    await parkAndLogProbes(
      [{ ...anOutcome(id), state: 'pending', errorClass: 'http_5xx', answer: 'busy' }],
      way.database,
    );
    await recordAndLogOutcomes(
      [{ ...anOutcome(id), state: 'dead', errorClass: 'http_4xx', attempt: 2, answer: 'no' }],
      0,
      way.database,
    );
    const dead = { id, state: 'dead', updatedAt: new Date() } as const;
    expect(await readLastAnswers([dead], way.database)).toEqual([{ status: 200, answer: 'no' }]);

    await way.database.transaction(async (tx) => eraseDeliveries(['u:early'], 100, tx));
    const left = await way.database.query('select answer from delivery_attempt where delivery_id = $1', [id]);
    expect(left).toEqual([]);
  });

  it('leaves profiles and events that agree, whatever happens at once', async () => {
    const users = ['ann', 'bob'].map((name) => `${name}-storm`);
    const rounds = Array.from({ length: 60 }, (_, round) => round);
    const inboxIds: string[] = [];
    const stop = new AbortController();
    const workers = Array.from({ length: 3 }, async () => {
      while (!stop.signal.aborted || inboxIds.length > 0) {
        const id = inboxIds.shift();
        if (id === undefined) await delay(1);
        else await way.process(id);
      }
    });
    const erasers = users.map(async (user) => {
      while (!stop.signal.aborted) await erase(user);
    });
    for (const round of rounds) {
      const userId = users[round % 2];
      inboxIds.push(
        await accept(
          { anonymousId: `v${round % 7}-storm` },
          { userId, anonymousId: `v${round % 7}-storm`, type: 'identify', traits: { round } },
          round % 9 === 0 ? { type: 'alias', userId: users[0], previousId: users[1] } : { userId },
        ),
      );
    }
    stop.abort();
    await Promise.all([...workers, ...erasers]);
    // A row that a deletion holds is left alone by the worker that comes for it; the service sweeps it up later.
    await way.processAll();
    const [differences] = await way.database.query(`
      with counted as (
        select coalesce(p.merged_into, e.subject) as root, count(*) as events
        from event as e left join profile as p on p.subject = e.subject group by 1
      )
      select json_agg(json_build_object('profile', p.subject, 'count', p.event_count, 'events', c.events)) as found
      from counted as c full join (select * from profile where merged_into is null) as p on p.subject = c.root
      where p.event_count is distinct from c.events`);
    expect(differences).toEqual({ found: null });
    const [days] = await way.database.query(`
      select (select sum(count)::int from profile_day) as days, (select sum(event_count)::int from profile) as events`);
    expect(days?.days).toBe(days?.events);
    for (const user of users) await erase(user);
    expect((await storedPeople('storm', way.database)).flatMap(({ subjects }) => subjects)).not.toContain(
      expect.stringMatching(/^u:/),
    );
  });
});
