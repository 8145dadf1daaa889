import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/connections/data-source';
import { isUniqueViolation } from '../../src/platform/database/failure';
import { PartitionDays1795000000096 } from '../../src/platform/database/migrations/1795000000096-partition-days';
import { insertAgain, moveSchema, nodeOf, settingOfNodes } from '../support/citus-database';
import { CitusNode } from '../support/citus-node';
import { eventually } from '../support/eventually';
import { Neighbour } from '../support/neighbour';
import { createEmptyCitus, createTestSchema, type TestDatabase } from '../support/test-database';
import { queueKinds } from '../support/test-service';

const CITUS = process.env.CDP_TEST_CITUS_URL;
const SETTLED_MS = 240_000;
const WHILE_IT_IS_DOWN_MS = 3_000;

(CITUS === undefined ? describe.skip : describe).each(queueKinds())(
  'two services on two nodes of a Citus (skipped without CDP_TEST_CITUS_URL), queues on %s',
  (queue) => {
    let database: TestDatabase;
    let euUrl: string;
    let nodes: { eu: string; us: string };
    let eu: Stream;
    let us: Stream;

    beforeAll(async () => {
      database = await createEmptyCitus(CITUS ?? '');
      euUrl = await createTestSchema(database.url, 'shop_eu');
      const usUrl = await createTestSchema(database.url, 'shop_us');
      nodes = {
        eu: await nodeOf(database.url, 'shop_eu'),
        us: await nodeOf(database.url, 'shop_us'),
      };
      eu = new Stream(await Neighbour.start(euUrl, queue));
      us = new Stream(await Neighbour.start(usUrl, queue));
    });
    afterAll(async () => {
      await eu.service.stop();
      await us.service.stop();
      await database.drop();
    });

    it('are each on a node of their own', () => {
      expect(nodes.eu).not.toBe(nodes.us);
    });

    it('have nodes that compile no statements', async () => {
      expect(await settingOfNodes(database.url, 'jit')).toEqual(['off', 'off']);
    });

    it('take, process and deliver what is theirs, each once', async () => {
      await Promise.all([eu.sendBatches(20), us.sendBatches(20)]);
      await Promise.all([eu.demandAll(), us.demandAll()]);
      expect([eu.acceptedCount, us.acceptedCount]).toEqual([100, 100]);
    });

    it.each([
      ['a node', () => nodes.eu],
      ['the coordinator', () => database.url],
    ])('lose nothing when %s is killed and comes back', async (_which, urlOf) => {
      eu.begin();
      us.begin();
      await eventually(() => expect(eu.acceptedCount + us.acceptedCount).toBeGreaterThan(200));
      const revive = await new CitusNode(urlOf()).kill();
      await delay(WHILE_IT_IS_DOWN_MS);
      await revive();
      await Promise.all([eu.goOn(), us.goOn()]);
      await Promise.all([eu.end(), us.end()]);
      await Promise.all([eu.demandAll(), us.demandAll()]);
    });

    it('do not wait for the node of the other', async () => {
      us.begin();
      await us.sendBatches(1, { anonymousId: 'guest' });
      await us.goOn();
      await us.end();
      await us.demandAll();
      us.begin();
      const revive = await new CitusNode(nodes.eu).kill();
      const before = us.acceptedCount;
      await us.goOn();
      expect(us.acceptedCount).toBeGreaterThan(before);
      // Becomes one with whoever has been there before.
      await us.sendBatches(1, { userId: 'ada', anonymousId: 'guest' });
      await us.end();
      await us.demandAll();
      await revive();
    });

    it('lose nothing when one of them is moved to the node of the other, and back', async () => {
      eu.begin();
      us.begin();
      for (const target of [nodes.us, nodes.eu]) {
        await eu.goOn();
        await moveSchema(database.url, 'shop_eu', target);
        expect(await nodeOf(database.url, 'shop_eu')).toBe(target);
      }
      await Promise.all([eu.end(), us.end()]);
      await Promise.all([eu.demandAll(), us.demandAll()]);
    });

    it('get partitions of counts per day where they had none', async () => {
      const dataSource = await new DataSource(dataSourceOptions(euUrl)).initialize();
      const runner = dataSource.createQueryRunner();
      const migration = new PartitionDays1795000000096();
      const counted = async (): Promise<unknown> => runner.query('select sum(count) from profile_day');
      const before = await counted();
      await migration.down(runner);
      await migration.up(runner);
      expect(await counted()).toEqual(before);
      await dataSource.destroy();
      await eu.sendBatches(1);
      await eu.demandAll();
    });

    // Behind all that follow a stream, because what is sent here is nobody's.
    it('make people members, count what they deliver, wait for who was down, and send again what is replayed', async () => {
      for (const { service } of [eu, us]) {
        const { api, segment, receiver } = service;
        const [destination] = (await api.get('/destinations')).body;
        expect(await service.send(['bob', 'eve'])).toBe(200);
        await service.settle(SETTLED_MS);
        await eventually(async () =>
          expect((await api.get(`/segments/${segment.id}`)).body).toMatchObject({ memberCount: 2 }),
        );
        await eventually(async () => {
          const { lastHour } = (await api.get(`/destinations/${destination.id}/stats`)).body;
          expect(lastHour.delivered).toBeGreaterThanOrEqual(4);
        });
        receiver.behaviour = (_delivery, response) => response.writeHead(429, { 'retry-after': '1' }).end();
        expect(await service.send(['fay'], 40)).toBe(200);
        await eventually(async () => {
          const { health } = (await api.get(`/destinations/${destination.id}/stats`)).body;
          expect(health).toMatchObject({ state: 'degraded', nextProbeAt: expect.any(String) });
        });
        receiver.answer(200);
        await service.settle(SETTLED_MS);
        const request = { from: new Date(Date.now() - 3_600_000).toISOString(), userId: 'bob' };
        const { body: replay } = await api.post(`/destinations/${destination.id}/replay`, request);
        await eventually(async () =>
          expect((await api.get(`/replays/${replay.id}`)).body).toMatchObject({
            state: 'done',
            deliveries: 2,
          }),
        );
      }
    });

    it('know a row that is there already, also of rows that the coordinator copies', async () => {
      const error: unknown = await insertAgain(database.url, 'shop_eu.segment_member').catch(
        (refused: unknown) => refused,
      );
      expect(isUniqueViolation(error)).toBe(true);
    });

    it('do all that while the node of the other is away', async () => {
      const revive = await new CitusNode(nodes.eu).kill();
      const { service } = us;
      const [destination] = (await service.api.get('/destinations')).body;
      const stats = async (): Promise<{ delivered: number }> =>
        (await service.api.get(`/destinations/${destination.id}/stats`)).body.lastHour;
      const { delivered } = await stats();
      expect(await service.send(['gil'], 5)).toBe(200);
      await service.settle();
      await eventually(async () =>
        expect((await service.api.get(`/segments/${service.segment.id}`)).body).toMatchObject({
          memberCount: 4,
        }),
      );
      await eventually(async () => expect((await stats()).delivered).toBeGreaterThanOrEqual(delivered + 6));
      await revive();
    });
  },
);

interface Ids {
  readonly userId?: string;
  readonly anonymousId?: string;
}

/** What one client sends to a service, one batch after the other; each again until it is answered with 200, as SDKs do. */
class Stream {
  private readonly accepted: string[] = [];
  private going: Promise<void> | undefined;
  private stopped = false;
  /** Accepted events of people who are not known to be Ada. */
  private ofGuests = 0;

  constructor(readonly service: Neighbour) {}

  get acceptedCount(): number {
    return this.accepted.length;
  }

  /** Waits until more has been accepted. */
  async goOn(): Promise<void> {
    const before = this.accepted.length;
    await eventually(() => expect(this.accepted.length).toBeGreaterThan(before + 20), SETTLED_MS);
  }

  begin(): void {
    this.stopped = false;
    this.going = (async () => {
      while (!this.stopped) await this.sendBatches(1);
    })();
  }

  async end(): Promise<void> {
    this.stopped = true;
    await this.going;
  }

  async sendBatches(count: number, ids: Ids = { userId: 'ada' }): Promise<void> {
    for (let n = 0; n < count; n++) {
      const messageIds = Array.from({ length: 5 }, () => randomUUID());
      while ((await this.post(messageIds, ids)) !== 200) await delay(100);
      this.accepted.push(...messageIds);
      if (ids.userId === undefined) this.ofGuests += messageIds.length;
      else if (ids.anonymousId !== undefined) this.ofGuests = 0;
    }
  }

  /** All that was accepted has arrived, as one delivery each, and was counted once. */
  async demandAll(): Promise<void> {
    await eventually(() => {
      const arrived = new Set(this.service.received);
      expect(this.accepted.filter((id) => !arrived.has(id))).toEqual([]);
    }, SETTLED_MS);
    expect(this.service.received.filter((id) => !this.accepted.includes(id))).toEqual([]);
    const deliveries = new Set(this.service.receiver.received.map(({ id }) => id));
    expect(deliveries.size).toBe(this.accepted.length);
    const { body } = await this.service.api.get('/profiles/ada');
    expect(body.eventCount).toBe(this.accepted.length - this.ofGuests);
  }

  /** 503 when nobody answers. */
  private async post(messageIds: readonly string[], ids: Ids): Promise<number> {
    const { service, source } = this.service;
    const timestamp = new Date().toISOString();
    const batch = messageIds.map((messageId) => ({
      type: 'track',
      event: 'Order Completed',
      ...ids,
      messageId,
      timestamp,
    }));
    const answer = await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${source.writeKey}:`)}` },
      body: JSON.stringify({ batch }),
    });
    return answer.status;
  }
}
