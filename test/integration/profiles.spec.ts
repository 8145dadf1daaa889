import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type CustomerEvent, EVENT_TYPES } from '../../src/events/customer-event';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { ProfilesService } from '../../src/profiles/profiles.service';
import { countsOfTypes } from '../../src/profiles/state/day-types';
import { ProfileLimits } from '../../src/profiles/state/profile-limits';
import type { TouchedProfile } from '../../src/profiles/touched-profile';
import { Pseudonyms } from '../../src/profiles/pseudonyms';
import { Suppressions } from '../../src/profiles/suppressions';
import { anyEvent } from '../support/any-event';
import { compare, modelProfiles } from '../support/profile-model';
import { asEvents, cut, randomHistory } from '../support/random-history';
import { storedPeople } from '../support/stored-people';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('profiles', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let profiles: ProfilesService;
  let markers = 0;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    ({ database, profiles } = open());
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  function open(limits: Partial<ProfileLimits> = {}): { database: Database; profiles: ProfilesService } {
    const config = Config.from({
      CDP_DATABASE_URL: testDatabase.url,
      CDP_ENCRYPTION_KEY: 'some-encryption-key',
    });
    const opened = database ?? new Database(config);
    const suppressions = new Suppressions(new Pseudonyms(opened, new SecretBox(config)), config);
    return {
      database: opened,
      profiles: new ProfilesService(Object.assign(new ProfileLimits(), limits), suppressions),
    };
  }

  function apply(events: readonly CustomerEvent[], service = profiles): Promise<readonly TouchedProfile[]> {
    return database.transaction(async (tx) => (await service.apply(events, tx)).profiles);
  }

  async function work(batches: CustomerEvent[][], workers: number): Promise<void> {
    const queue = [...batches];
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
          await apply(batch);
          await delay(0);
        }
      }),
    );
  }

  const newMarker = (): string => `-${(markers += 1)}x`;
  const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 5 });

  it('are what a plain model says, whatever the history and its batches', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory(false), sizes, async (shapes, sizes) => {
        const marker = newMarker();
        const events = asEvents(shapes, marker);
        await work(cut(events, sizes), 1);
        expect(await storedPeople(marker, database)).toEqual(modelProfiles(events));
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('are the same for every order of arrival, with several workers at once', async () => {
    const history = randomHistory(true, 60).chain((shapes) =>
      fc.tuple(
        fc.constant(shapes),
        fc.shuffledSubarray(
          shapes.map((_, i) => i),
          { minLength: shapes.length },
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(history, sizes, async ([shapes, order], sizes) => {
        const marker = newMarker();
        const events = asEvents(shapes, marker);
        const arrival = order.map((index) => events[index]!);
        await work(cut(arrival, sizes), 4);
        expect(await storedPeople(marker, database)).toEqual(modelProfiles(events));
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('lose and double no event while workers link and merge as they please', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory(false, 80), sizes, async (shapes, sizes) => {
        const marker = newMarker();
        const events = asEvents(shapes, marker);
        await work(cut(events, sizes), 4);
        const people = await storedPeople(marker, database);
        const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
        expect(sum(people.map(({ eventCount }) => eventCount))).toBe(events.length);
        for (const { eventCount, totals, days } of people) {
          expect(sum(Object.values(totals).map(({ count }) => count))).toBe(eventCount);
          expect(sum(Object.values(days))).toBe(eventCount);
        }
        const subjects = people.flatMap(({ subjects }) => subjects).sort(compare);
        const mentioned = modelProfiles(events).flatMap(({ subjects }) => subjects);
        expect(subjects).toEqual(mentioned.sort(compare));
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('have the last one received as the last writer among events of one millisecond, in whatever order they are processed', async () => {
    const written = (who: string): CustomerEvent[] =>
      ['a', 'b', 'c'].map((value) =>
        anyEvent({ type: 'identify', userId: `tie-${who}`, traits: { value }, messageId: `${who}-${value}` }),
      );
    for (const event of written('forth')) await apply([event]);
    for (const event of written('back').toReversed()) await apply([event]);
    const [back, forth] = await storedPeople('tie-', database);
    expect([back?.traits, forth?.traits]).toEqual([{ value: 'c' }, { value: 'c' }]);
  });

  it('tell what a batch changed', async () => {
    const [created] = await apply([anyEvent({ type: 'identify', userId: 'told', traits: { plan: 'free' } })]);
    expect(created).toMatchObject({ created: true, changedTraits: ['plan'], events: [{ type: 'identify' }] });
    const [again] = await apply([
      anyEvent({
        type: 'identify',
        userId: 'told',
        traits: { plan: 'free' },
        timestamp: '2026-11-21T00:00:00.000Z',
      }),
    ]);
    expect(again).toMatchObject({ created: false, changedTraits: [], groupsChanged: false });
    const [older] = await apply([
      anyEvent({
        type: 'identify',
        userId: 'told',
        traits: { plan: 'old' },
        timestamp: '2026-11-01T00:00:00.000Z',
      }),
    ]);
    expect(older).toMatchObject({ changedTraits: [], facts: { traits: { plan: 'free' }, eventCount: 3 } });
    const [grouped] = await apply([anyEvent({ type: 'group', userId: 'told', groupId: 'acme' })]);
    expect(grouped).toMatchObject({ groupsChanged: true, facts: { groups: ['acme'] } });
  });

  it('tell which profiles were folded into one', async () => {
    await apply([anyEvent({ type: 'identify', anonymousId: 'fold-a', traits: { city: 'Rome' } })]);
    const touched = await apply([anyEvent({ userId: 'fold-u', anonymousId: 'fold-a', event: 'Bought' })]);
    expect(touched).toHaveLength(1);
    expect(touched[0]).toMatchObject({
      facts: { subject: 'u:fold-u', eventCount: 2, traits: { city: 'Rome' } },
      changedTraits: ['city'],
      events: [{ event: 'Bought' }],
      mergedSubjects: ['a:fold-a'],
    });
  });

  it('know the same types of events in SQL as in memory', async () => {
    for (const name of [...EVENT_TYPES, 'Bought']) {
      const [row] = await database.query('select profile_day_types($1, 3, null) as types', [name]);
      expect(row).toEqual({ types: countsOfTypes(name, 3, null) });
    }
  });

  describe('at their limits', () => {
    const ids = (userId: string, count: number): CustomerEvent[] =>
      Array.from({ length: count }, (_, index) => anyEvent({ userId, anonymousId: `${userId}-${index}` }));

    it('take no further ids: those stay people of their own', async () => {
      const { profiles } = open({ maxIds: 3 });
      await apply(ids('kiosk', 2), profiles);
      await apply([anyEvent({ anonymousId: 'kiosk-9' })], profiles);
      const touched = await apply(ids('kiosk', 5), profiles);
      expect(touched).toMatchObject([{ facts: { subject: 'u:kiosk', eventCount: 7 } }]);
      expect((await storedPeople('kiosk', database)).map(({ subjects }) => subjects)).toEqual([
        ['a:kiosk-0', 'a:kiosk-1', 'u:kiosk'],
        ['a:kiosk-9'],
      ]);
    });

    it.each([
      ['at once', 1],
      ['one after the other', 2],
    ])('keep the traits they have and refuse new ones, written %s', async (_, batchSize) => {
      const { profiles } = open({ maxTraitBytes: 100, maxTraitKeys: 4 });
      const userId = `big-${batchSize}`;
      const at = (hour: number): string => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
      const events = [
        { a: 1, b: 2 },
        { huge: 'x'.repeat(90), a: 2 },
        { b: 'y'.repeat(30), c: 1 },
        { d: 1, e: 1, a: null },
      ].map((traits, hour) => anyEvent({ type: 'identify', userId, traits, timestamp: at(hour) }));
      for (const batch of cut(events, [batchSize === 1 ? 4 : 1])) await apply(batch, profiles);
      const [person] = await storedPeople(`big-${batchSize}`, database);
      expect(person?.traits).toMatchObject({ b: 'y'.repeat(30) });
      expect(Object.keys(person?.traits ?? {})).not.toContain('huge');
      expect(Object.keys(person?.traits ?? {})).not.toContain('a');
      expect(Object.keys(person?.traits ?? {}).length).toBeLessThanOrEqual(3);
    });

    it('change the traits they have, however many new ones come first in the same transaction', async () => {
      const { profiles } = open({ maxTraitKeys: 2 });
      const wrote = (traits: object, minute: number): CustomerEvent =>
        anyEvent({
          type: 'identify',
          userId: 'upgraded',
          traits,
          timestamp: `2026-11-20T00:0${minute}:00.000Z`,
        });
      await apply([wrote({ plan: 'free' }, 1)], profiles);
      await apply([wrote({ a: 1, b: 2, c: 3 }, 2), wrote({ plan: 'pro' }, 3)], profiles);
      const [person] = await storedPeople('upgraded', database);
      expect(person?.traits).toEqual({ plan: 'pro', a: 1 });
    });

    it('count the names they count, however many new ones come first in the same transaction', async () => {
      const { profiles } = open({ maxEventNames: 2 });
      const named = (...names: string[]): CustomerEvent[] =>
        names.map((event) => anyEvent({ userId: 'buyer', event }));
      await apply(named('Order'), profiles);
      await apply(named('a', 'b', 'c', 'Order'), profiles);
      const [person] = await storedPeople('buyer', database);
      expect(person).toMatchObject({ eventCount: 5, totals: { Order: { count: 2 }, a: { count: 1 } } });
      expect(person?.days).toEqual({ 'Order 2026-11-20': 2, 'a 2026-11-20': 1 });
    });

    it('count no further names beyond their bytes, and go on with those they count', async () => {
      const long = 'x'.repeat(50);
      const events = [long, 'a', `${long}y`, 'b'].map((event) => anyEvent({ userId: 'talker', event }));
      await apply(events.slice(0, 1));
      const { profiles } = open({ maxEventNameBytes: 55 });
      await apply(events, profiles);
      const [person] = await storedPeople('talker', database);
      expect(person).toMatchObject({ eventCount: 5, totals: { [long]: { count: 2 }, a: { count: 1 } } });
      expect(person?.days).toEqual({ [`${long} 2026-11-20`]: 2, 'a 2026-11-20': 1 });
    });

    it('go on counting more names than have room', async () => {
      await apply([
        anyEvent({ userId: 'older', event: 'Order' }),
        anyEvent({ userId: 'older', event: 'Visit' }),
      ]);
      const { profiles } = open({ maxEventNameBytes: 10 });
      await apply(
        [anyEvent({ userId: 'older', event: 'Visit' }), anyEvent({ userId: 'older', event: 'a' })],
        profiles,
      );
      const [person] = await storedPeople('older', database);
      expect(person?.days).toEqual({ 'Order 2026-11-20': 1, 'Visit 2026-11-20': 2 });
    });

    it('change the traits that a group has, however many new ones come with them', async () => {
      const { profiles } = open({ maxTraitKeys: 2 });
      const wrote = (traits: object, day: number): CustomerEvent =>
        anyEvent({ type: 'group', groupId: 'full', traits, timestamp: `2026-11-0${day}T00:00:00.000Z` });
      await apply([wrote({ plan: 'free' }, 1)], profiles);
      await apply([wrote({ a: 1, b: 2, c: 3, plan: 'pro' }, 2)], profiles);
      const groups = await database.query("select traits from customer_group where group_id = 'full'");
      expect(groups).toEqual([{ traits: { plan: 'pro', a: 1 } }]);
    });

    it('count events of further names in all, but not by name', async () => {
      const { profiles } = open({ maxEventNames: 2 });
      const named = (...names: string[]): CustomerEvent[] =>
        names.map((event) => anyEvent({ userId: 'namer', event }));
      await apply(named('a', 'b', 'c'), profiles);
      await apply(named('b', 'd'), profiles);
      const [person] = await storedPeople('namer', database);
      expect(person).toMatchObject({ eventCount: 5, totals: { a: { count: 1 }, b: { count: 2 } } });
      expect(Object.keys(person?.totals ?? {})).toEqual(['a', 'b']);
      expect(person?.days).toEqual({ 'a 2026-11-20': 1, 'b 2026-11-20': 2 });
      await apply([anyEvent({ anonymousId: 'namer-v', event: 'e' })], profiles);
      await apply([anyEvent({ userId: 'namer', anonymousId: 'namer-v', event: 'a' })], profiles);
      const [merged] = await storedPeople('namer', database);
      expect(merged).toMatchObject({ eventCount: 7, days: { 'a 2026-11-20': 2, 'b 2026-11-20': 2 } });
      expect(Object.keys(merged?.days ?? {})).toHaveLength(2);
    });
  });

  it('say which traits of which groups changed', async () => {
    const write = (traits: object, day: number, groupId = 'told'): CustomerEvent =>
      anyEvent({ type: 'group', groupId, traits, timestamp: `2026-11-0${day}T00:00:00.000Z` });
    const groups = async (...events: CustomerEvent[]): Promise<unknown> =>
      (await database.transaction((tx) => profiles.apply(events, tx))).groups;
    const told = { groupId: 'told', created: false };
    expect(await groups(write({ plan: 'a' }, 3))).toEqual([
      { ...told, created: true, changedTraits: ['plan'] },
    ]);
    expect(await groups(write({ plan: 'b', size: 1 }, 2))).toEqual([{ ...told, changedTraits: ['size'] }]);
    expect(await groups(write({ plan: 'a', size: null }, 4))).toEqual([{ ...told, changedTraits: ['size'] }]);
    expect(await groups(write({}, 5))).toEqual([]);
  });

  it('keep the last word on the traits of a group, and the group of an event without a person', async () => {
    const group = (traits: object, day: number): CustomerEvent =>
      anyEvent({ type: 'group', groupId: 'acme', traits, timestamp: `2026-11-0${day}T00:00:00.000Z` });
    await apply([group({ plan: 'b', seats: 2 }, 2), group({ plan: 'c' }, 3)]);
    await apply([group({ plan: 'a', city: 'Rome' }, 1), group({ seats: null }, 4)]);
    const { id, receivedAt, ...rest } = anyEvent();
    await apply([
      { ...rest, id, receivedAt, type: 'group', groupId: 'solo', subject: 'g:solo', userId: undefined },
    ]);
    const groups = await database.query(
      "select group_id, traits from customer_group where group_id in ('acme', 'solo') order by 1",
    );
    expect(groups).toEqual([
      { group_id: 'acme', traits: { plan: 'c', city: 'Rome' } },
      { group_id: 'solo', traits: {} },
    ]);
    expect(await storedPeople('solo', database)).toEqual([]);
  });
});
