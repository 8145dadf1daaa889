import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { DestinationDisabler } from '../../src/delivery/breaker/destination-disabler';
import type { ClaimedDelivery } from '../../src/delivery/ledger/claiming/claimed-delivery';
import type { DeliveryOutcome } from '../../src/delivery/ledger/recording/delivery-outcome';
import { Sender } from '../../src/delivery/sending/sender';
import type { JsonObject, TrackEvent } from '../../src/events/customer-event';
import { ActiveDestinations } from '../../src/destinations/active-destinations';
import { Database } from '../../src/platform/database/database';
import { DependencyDownError } from '../../src/platform/http/problems/problem';
import { Sandbox } from '../../src/transformations/sandbox/sandbox';
import { anEvent } from '../support/an-event';
import { aSource } from '../support/a-source';
import { anApiClient, ApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { deliver, type LedgerRow, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, type ReceivedDelivery, Receiver } from '../support/receiver';
import { startTestService, type TestService } from '../support/test-service';

const SECRET = 'a-signing-secret-of-length-0000';
const SHOP = 'export const transform = (event) => ({ ...event, shop: "north" });';

/** Bodies of functions that take all they can get, or break what they can reach. */
const ATTACKS = [
  'for (;;);',
  'return { ...event, get all() { for (;;); } }',
  'return /^(a+)+$/.test("a".repeat(50) + "b")',
  'return "x".repeat(1e9)',
  'const all = []; for (;;) all.push({ all })',
  'const all = []; for (let i = 0; i < 1e6; i += 1) all.push(Promise.resolve(i).then(() => i)); return event',
  'const deep = () => deep() + 1; return deep()',
  'return new WebAssembly.Module(new Uint8Array(8))',
  'return event.constructor.constructor("return process")().exit(1)',
  'Object.prototype.stolen = 1; JSON.stringify = Array.prototype.map = undefined; return event.nothing.there',
  'throw { toString() { throw this }, get message() { throw this }, get stack() { for (;;); } }',
];

describe('transformations', () => {
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let names = 0;

  beforeAll(async () => {
    // The threads of the sandbox run what is built.
    buildService();
    service = await startTestService({
      env: { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '3' },
    });
    api = await anApiClient(service);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });
  beforeEach(() => {
    receiver.behaviour = (_delivery, response) => void response.end();
    receiver.received.length = 0;
  });
  afterEach(async () => {
    for (const { id } of (await api.get('/destinations')).body) await api.delete(`/destinations/${id}`);
  });

  const aTransformation = async (code = SHOP): Promise<{ id: string; name: string; version: number }> => {
    const { status, body } = await api.post('/transformations', { name: `Transformation ${++names}`, code });
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body;
  };
  const aDestination = async (transformationId: string, members: object = {}): Promise<string> => {
    const config = { url: receiver.url, secret: SECRET };
    const given = { name: `Receiver ${++names}`, type: 'webhook', config, transformationId, ...members };
    const { status, body } = await api.post('/destinations', given);
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body.id;
  };
  const ended = (destinationId: string, state: string): Promise<LedgerRow> =>
    eventually(async () => {
      const [row] = await ledgerOf(service, destinationId);
      expect(row?.state).toBe(state);
      return row as LedgerRow;
    });
  const received = (count: number): Promise<readonly ReceivedDelivery[]> =>
    eventually(() => {
      expect(receiver.received).toHaveLength(count);
      return receiver.received;
    });

  describe('that fail', () => {
    const FRAGILE = `export function transform(event) {
      if (event.properties.kind === 'unwanted') return null;
      return { ...event, first: event.properties.items[0].sku };
    }`;
    const send = (kind: string, count: number): Promise<void> =>
      deliver(
        service,
        Array.from({ length: count }, () =>
          anEvent({ properties: { kind, items: kind === 'good' ? [{ sku: 'a' }] : [] } }),
        ),
      );
    /** The events of one minute, and then it is as if so many minutes had gone by. */
    const minute = async (id: string, kinds: Record<string, number>, ago: number): Promise<void> => {
      for (const [kind, count] of Object.entries(kinds)) await send(kind, count);
      const counted = Object.values(kinds).reduce((sum, count) => sum + count, 0);
      const database = service.app.get(Database);
      await eventually(async () => {
        const rows = await database.query<{ count: number }>(
          `select coalesce(sum(count), 0)::int as count from delivery_minute
           where destination_id = $1 and minute > now() - interval '2 minutes' and outcome <> 'untransformed'`,
          [id],
        );
        expect(rows[0]?.count).toBe(counted);
      });
      // Of one minute, also where the clock has gone on to the next one meanwhile.
      await database.query(
        `with counted as (
           delete from delivery_minute where destination_id = $1 and minute > now() - interval '2 minutes' returning *
         )
         insert into delivery_minute (destination_id, minute, outcome, latency_class, count)
         select destination_id, date_trunc('minute', now()) - $2 * interval '1 minute', outcome, latency_class, sum(count)
         from counted group by 1, 2, 3, 4`,
        [id, ago],
      );
    };
    const look = (): Promise<void> =>
      service.app.get(DestinationDisabler, { strict: false }).disableUntransformed();
    const state = async (id: string): Promise<object> => {
      const { enabled, disabledReason } = (await api.get(`/destinations/${id}`)).body;
      return { enabled, disabledReason };
    };
    const ON = { enabled: true, disabledReason: null };

    it('for most of its events for five minutes switch their destination off, with notice and audit', async () => {
      const { id: transformationId } = await aTransformation(FRAGILE);
      const watcher = await Receiver.start();
      const told = { name: `Watcher ${++names}`, type: 'webhook', config: { url: watcher.url } };
      await api.post('/destinations', { ...told, notices: ['destination_disabled'], filter: { types: [] } });
      const id = await aDestination(transformationId);
      await minute(id, { bad: 8, good: 3 }, 6);
      await look();
      expect(await state(id)).toEqual(ON);
      await minute(id, { bad: 8, good: 3 }, 0);
      await look();
      expect(await state(id)).toEqual({ enabled: false, disabledReason: 'transformation_failed' });
      const { body: entries } = await api.get(`/audit?resourceId=${id}`);
      expect(entries[0]).toMatchObject({
        action: 'disable',
        after: { enabled: false, disabledReason: 'transformation_failed' },
      });
      await eventually(() =>
        expect(watcher.received.map(({ body }) => JSON.parse(body).properties)).toContainEqual(
          expect.objectContaining({ destinationId: id, reason: 'transformation_failed' }),
        ),
      );
      await watcher.stop();
      // What comes now waits, and what was counted before says nothing once it is switched on.
      await send('good', 1);
      const waiting = async (): Promise<number> =>
        (await ledgerOf(service, id)).filter((row) => row.state === 'pending').length;
      await eventually(async () => expect(await waiting()).toBe(1));
      expect((await api.post(`/destinations/${id}/resume`)).status).toBe(200);
      await eventually(async () => expect(await waiting()).toBe(0));
      await look();
      expect(await state(id)).toEqual(ON);
    });

    it.each<[string, Record<string, number>, Record<string, number>]>([
      ['less than half', { bad: 5, good: 7 }, { bad: 5, good: 7 }],
      ['less than half, most of the others being left out', { bad: 6, unwanted: 8 }, { bad: 6, unwanted: 8 }],
      ['few', { bad: 4 }, { bad: 5 }],
      ['all, and were mended a minute ago', { bad: 20 }, { bad: 2, good: 5 }],
    ])('for %s leave it on', async (_, first, second) => {
      const { id: transformationId } = await aTransformation(FRAGILE);
      const id = await aDestination(transformationId);
      await minute(id, first, 6);
      await minute(id, second, 0);
      await look();
      expect(await state(id)).toEqual(ON);
    });
  });

  describe('of events on their way out', () => {
    it('come before the mapping and the signature', async () => {
      const { id } = await aTransformation(
        'export const transform = (event) => ({ user: event.userId, extra: { a: 1 } });',
      );
      await aDestination(id, { mapping: { drop: ['extra'] } });
      await deliver(service, [anEvent({ userId: 'ada' })]);
      const [request] = await received(1);
      expect(request?.body).toBe('{"user":"ada"}');
      expect(isSignedWith(SECRET, request as ReceivedDelivery)).toBe(true);
    });

    it('leave all of the mapping to be done, whatever type they say', async () => {
      const { id } = await aTransformation(
        'export const transform = (event) => ({ type: "delete", id: event.userId, email: event.properties.email });',
      );
      await aDestination(id, { mapping: { drop: ['email'] } });
      await deliver(service, [anEvent({ userId: 'ada', properties: { email: 'ada@b.test' } })]);
      const [request] = await received(1);
      expect(request?.body).toBe('{"type":"delete","id":"ada"}');
    });

    it('give the same bytes and ids on each try, for each of the events that they make', async () => {
      const { id } = await aTransformation(
        'let n = 0; export const transform = (event) => ["a", "b", "c"].map((part) => ({ part, n: ++n, id: event.messageId }));',
      );
      let answers = 0;
      receiver.behaviour = (_delivery, response) => {
        answers += 1;
        void response.writeHead(answers === 2 ? 500 : 200).end();
      };
      const destinationId = await aDestination(id);
      await deliver(service, [anEvent()]);
      const delivery = await ended(destinationId, 'delivered');
      const sent = receiver.received.map(({ headers, body }) => [
        headers['webhook-id'],
        JSON.parse(body).part,
      ]);
      const [a, b, c] = ['a', 'b', 'c'].map((part, index) => [`${delivery.id}.${index}`, part]);
      expect(sent).toEqual([a, b, a, b, c]);
      expect(receiver.received[0]?.body).toBe(receiver.received[2]?.body);
      const { body } = await api.get(`/deliveries/${delivery.id}`);
      expect(body.request).toMatchObject({
        body: receiver.received[0]?.body,
        problem: 'The first of 3 requests.',
      });
    });

    it('know the person, on each try as on the first that asked', async () => {
      const { writeKey } = await aSource(service.databaseUrl);
      const sdk = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
      const userId = `buyer-${++names}`;
      const become = async (plan: string): Promise<void> => {
        await sdk.post('/v1/identify', { userId, traits: { plan } });
        await eventually(async () =>
          expect((await api.get(`/profiles/${userId}`)).body).toMatchObject({ traits: { plan } }),
        );
      };
      const rules = [{ field: 'plan', operator: 'eq', value: 'pro' }];
      const { body: segment } = await api.post('/segments', { name: `Pro ${++names}`, rules });
      await become('pro');
      const { id: transformationId } = await aTransformation(`
        export const transform = (event, person) =>
          event.type === 'track' ? { id: event.messageId, ...person } : null;`);
      const id = await aDestination(transformationId);
      const plain = await aDestination((await aTransformation()).id, { filter: { types: ['track'] } });
      const tries: ReceivedDelivery[] = [];
      receiver.behaviour = (delivery, response) => {
        if (delivery.body.includes('"shop"')) return void response.end();
        tries.push(delivery);
        response.statusCode = 500;
        if (tries.length > 1) response.end();
        else void become('free').then(() => response.end());
      };
      await sdk.post('/v1/track', { userId, event: 'Bought', messageId: 'first' });
      await eventually(() => expect(tries).toHaveLength(3));
      const [dead] = await eventually(async () => {
        const rows = (await ledgerOf(service, id)).filter(({ state }) => state === 'dead');
        expect(rows).toHaveLength(1);
        return rows;
      });
      receiver.behaviour = (delivery, response) => {
        if (!delivery.body.includes('"shop"')) tries.push(delivery);
        response.end();
      };
      expect((await api.get(`/deliveries/${dead?.id}`)).body.request.body).toBe(tries[0]?.body);
      await api.post(`/deliveries/${dead?.id}/retry`);
      await eventually(() => expect(tries).toHaveLength(4));
      expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
      expect(JSON.parse(String(tries[0]?.body))).toMatchObject({
        profile: { userId, mergedUserIds: [], anonymousIds: [], traits: { plan: 'pro' }, groups: [] },
        segments: [{ id: segment.id, name: segment.name }],
      });

      // Another event is seen with what is known by now.
      await sdk.post('/v1/track', { userId, event: 'Bought', messageId: 'second' });
      await eventually(() => expect(tries).toHaveLength(5));
      expect(JSON.parse(String(tries[4]?.body))).toMatchObject({
        profile: { traits: { plan: 'free' } },
        segments: [],
      });
      const kept = async (destinationId: string): Promise<object[]> =>
        service.app
          .get(Database)
          .query('select context from delivery where destination_id = $1 and context is not null', [
            destinationId,
          ]);
      expect(await kept(plain)).toEqual([]);
      // The identify of the new plan looked at nothing.
      expect(await kept(id)).toHaveLength(2);
      // A sample is nobody's.
      expect((await api.post(`/destinations/${id}/test`)).body).toMatchObject({ delivered: true });
      expect(JSON.parse(String(tries[5]?.body))).toMatchObject({ profile: null, segments: [] });

      expect(await api.delete(`/profiles/${userId}`)).toMatchObject({ status: 200 });
      await eventually(async () => expect(await kept(id)).toEqual([]));
    }, 60_000);

    it('may want nothing to be sent: then the delivery is cancelled, and says why', async () => {
      const { id } = await aTransformation(
        'export const transform = (event) => (event.userId === "ada" ? null : event);',
      );
      const destinationId = await aDestination(id);
      await deliver(service, [anEvent({ userId: 'ada' })]);
      const delivery = await ended(destinationId, 'cancelled');
      expect(delivery.error_class).toBe('transformed_to_nothing');
      const { body } = await api.get(`/deliveries/${delivery.id}`);
      expect(body.request).toMatchObject({ body: null, problem: expect.stringContaining('nothing') });
      expect(receiver.received).toHaveLength(0);
    });

    it('keep to what callers of SDKs ask of all and of one, as docs/routing.md has it', async () => {
      const docs = readFileSync(join(__dirname, '../../docs/routing.md'), 'utf8');
      const [code] = /(?<=```js\n)export function transform[^`]*integrations[^`]*/.exec(docs) ?? [];
      const { id } = await aTransformation(code ?? 'not there');
      const destinationId = await aDestination(id);
      const asked: JsonObject[] = [
        { All: false, Lake: true },
        { All: false, Lake: { table: 'orders' } },
        { Lake: true },
        { Other: false },
        {},
      ];
      const refused: JsonObject[] = [
        { All: false },
        { Lake: false },
        { All: true, Lake: false },
        { All: false, Other: true },
      ];
      const withIntegrations = (integrations: JsonObject): TrackEvent =>
        Object.assign(anEvent({ properties: { integrations } }), { integrations });
      await deliver(service, [anEvent(), ...[...asked, ...refused].map(withIntegrations)]);
      await eventually(async () => {
        const states = (await ledgerOf(service, destinationId)).map(({ state }) => state);
        expect(states.filter((state) => state === 'cancelled')).toHaveLength(refused.length);
      });
      const bodies = (await received(1 + asked.length)).map(({ body }) => JSON.parse(body) as TrackEvent);
      const kept = bodies.flatMap(({ properties }) => properties?.integrations ?? []);
      expect(kept).toHaveLength(asked.length);
      expect(kept).toEqual(expect.arrayContaining(asked));
    });

    it('that fail make dead letters at once, with the line, which are sent again once the code is mended', async () => {
      const { id } = await aTransformation(
        'export function transform(event) {\n  return event.nothing.there;\n}',
      );
      const destinationId = await aDestination(id);
      await deliver(service, [anEvent()]);
      const dead = await ended(destinationId, 'dead');
      expect(dead).toMatchObject({ attempts: 1, error_class: 'transformation_failed' });
      const { body } = await api.get(`/deliveries/${dead.id}`);
      expect(JSON.stringify(body)).toMatch(/line 2: TypeError/);
      expect(receiver.received).toHaveLength(0);
      expect(await api.put(`/transformations/${id}`, { code: SHOP })).toMatchObject({ status: 200 });
      await api.post(`/deliveries/${dead.id}/retry`);
      await ended(destinationId, 'delivered');
      expect(receiver.received[0]?.body).toContain('"shop":"north"');
    });

    it('leave notices alone: receivers rely on their form', async () => {
      const { id } = await aTransformation('export const transform = () => null;');
      await aDestination(id, { notices: ['configuration_changed'], filter: { types: [] } });
      const { body: source } = await api.post('/sources', { name: `Source ${++names}` });
      await eventually(() => {
        const bodies = receiver.received.map(({ body }) => body);
        expect(bodies).toContainEqual(expect.stringContaining(source.id));
      });
    });

    it('hold as they are now from the next try on, without a restart', async () => {
      const { id } = await aTransformation();
      await aDestination(id);
      receiver.behaviour = (_delivery, response) =>
        void response.writeHead(503, { 'retry-after': '1' }).end();
      await deliver(service, [anEvent()]);
      await received(1);
      await api.put(`/transformations/${id}`, { code: SHOP.replace('north', 'south') });
      receiver.behaviour = (_delivery, response) => void response.end();
      const [first, second] = await received(2);
      expect(first?.body).toContain('north');
      expect(second?.body).toContain('south');
    });

    it('that attack the service give up their events, and hold up nobody else', async () => {
      const attackers: string[] = [];
      for (const body of ATTACKS) {
        const { id } = await aTransformation(`export const transform = (event) => { ${body} };`);
        attackers.push(await aDestination(id));
      }
      const { id: shop } = await aTransformation();
      const transformed = await aDestination(shop);
      const config = { url: receiver.url, secret: SECRET };
      const plain = await api.post('/destinations', { name: 'Plain', type: 'webhook', config });
      const states = async (id: string): Promise<string[]> =>
        (await ledgerOf(service, id)).map(({ state }) => state);

      await deliver(service, [anEvent(), anEvent()]);
      for (const id of [plain.body.id, transformed])
        await eventually(async () => expect(await states(id)).toEqual(['delivered', 'delivered']), 60_000);
      // Not because the attacks were over.
      expect((await Promise.all(attackers.map(states))).flat()).toContain('pending');
      for (const [at, id] of attackers.entries())
        await eventually(async () => {
          const rows = await ledgerOf(service, id);
          const found = rows.map(({ state, error_class: error }) => `${state} ${error}`);
          expect({ attack: ATTACKS[at], found }).toEqual({
            attack: ATTACKS[at],
            found: Array(2).fill('dead transformation_failed'),
          });
        }, 120_000);
      await deliver(service, [anEvent()]);
      for (const id of [plain.body.id, transformed])
        await eventually(async () => expect(await states(id)).toEqual(Array(3).fill('delivered')), 60_000);
      const bodies = receiver.received.map(({ body }) => JSON.parse(body) as object);
      // As their own code has them, whatever other code did to the prototypes.
      expect(bodies.filter((event) => 'shop' in event)).toHaveLength(3);
      expect(bodies.filter((event) => 'stolen' in event)).toEqual([]);
    }, 240_000);
  });

  describe('that wait for their turn', () => {
    it('take nothing of the time of the request', async () => {
      const slow = await startTestService({
        env: { CDP_DELIVERY_TIMEOUT_MS: '1000', CDP_DELIVERY_MAX_ATTEMPTS: '1' },
      });
      try {
        Object.assign(slow.app.get(Sandbox, { strict: false }), { maxThreads: 1 });
        const its = await anApiClient(slow);
        const body = 'event.event !== "Slow" || /^(a+)+$/.test("a".repeat(50) + "b") ? event : null';
        const code = `export const transform = (event) => ${body};`;
        const transformation = await its.post('/transformations', { name: 'Slow', code });
        const given = { name: 'Receiver', type: 'webhook', transformationId: transformation.body.id };
        const { id } = (await its.post('/destinations', { ...given, config: { url: receiver.url } })).body;
        await deliver(slow, [anEvent({ event: 'Slow' })]);
        await deliver(slow, [anEvent({ event: 'Quick' })]);
        await eventually(async () =>
          expect(await ledgerOf(slow, id)).toMatchObject([
            { state: 'dead', error_class: 'transformation_failed' },
            { state: 'delivered', attempts: 1 },
          ]),
        );
      } finally {
        await slow.close();
      }
    });

    /** What a try comes to. @param leaseMs until another worker may have the delivery */
    async function tryOf(leaseMs: number): Promise<DeliveryOutcome> {
      const destinationId = await aDestination((await aTransformation()).id);
      const destinations = service.app.get(ActiveDestinations, { strict: false });
      await destinations.refresh();
      const delivery: ClaimedDelivery = {
        id: randomUUID(),
        destinationId,
        attempts: 0,
        attemptLimit: undefined,
        eventType: 'track',
        body: '{}',
        leaseEndsAt: performance.now() + leaseMs,
      };
      return service.app
        .get(Sender, { strict: false })
        .sendDelivery(delivery, destinations.get(destinationId)!);
    }
    const delayed = { state: 'pending', errorClass: 'transformation_delayed', isOfEvent: true };

    it('send nothing where another worker may have the delivery by then', async () => {
      expect(await tryOf(10_000)).toMatchObject(delayed);
      expect(receiver.received).toEqual([]);
    });

    it('send nothing where there is no thread for them', async () => {
      const run = jest.spyOn(service.app.get(Sandbox, { strict: false }), 'run');
      run.mockRejectedValueOnce(new DependencyDownError('The sandbox'));
      expect(await tryOf(Infinity)).toMatchObject(delayed);
      run.mockRestore();
      expect(receiver.received).toEqual([]);
    });
  });

  describe('as a resource', () => {
    it('have versions, which stay as they were', async () => {
      const { id, version } = await aTransformation();
      expect(version).toBe(1);
      const code = SHOP.replace('north', 'south');
      expect((await api.put(`/transformations/${id}`, { code })).body).toMatchObject({ version: 2, code });
      const { body: versions } = await api.get(`/transformations/${id}/versions`);
      expect(versions.map((one: { version: number }) => one.version)).toEqual([2, 1]);
      expect((await api.get(`/transformations/${id}/versions/1`)).body.code).toBe(SHOP);
      expect((await api.get(`/transformations/${id}/versions/3`)).status).toBe(404);
    });

    it.each([
      ['no JavaScript', 'export function transform( {', /line 1: SyntaxError/],
      ['no function', 'export const transform = 5;', /function named transform/],
      ['something that waits', 'export async function transform(event) { return event; }', /async/],
    ])('are refused when they are %s', async (_, code, message) => {
      const { status, body } = await api.post('/transformations', { name: `Refused ${++names}`, code });
      expect({ status, errors: body.errors }).toEqual({
        status: 400,
        errors: [{ path: 'code', code: 'invalid_code', message: expect.stringMatching(message) }],
      });
    });

    it('cannot be deleted while a destination has them, and not be named when there is none', async () => {
      const { id } = await aTransformation();
      const destinationId = await aDestination(id);
      expect(await api.delete(`/transformations/${id}`)).toMatchObject({
        status: 409,
        body: { code: 'transformation_in_use' },
      });
      await api.put(`/destinations/${destinationId}`, { transformationId: null });
      expect((await api.delete(`/transformations/${id}`)).status).toBe(204);
      const { status, body } = await api.put(`/destinations/${destinationId}`, { transformationId: id });
      expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 400, path: 'transformationId' });
    });

    it.each(['create', 'update'])(
      'are refused in the %s of a destination when they go meanwhile',
      async (action) => {
        const { id: transformationId } = await aTransformation();
        const given = { name: `Raced by ${action}`, type: 'webhook', config: { url: receiver.url } };
        const { body: made } = await api.post('/destinations', { ...given, name: `${given.name}, first` });
        const other = new Client({ connectionString: service.databaseUrl });
        await other.connect();
        try {
          await other.query('begin');
          await other.query('delete from transformation where id = $1', [transformationId]);
          const named =
            action === 'create'
              ? api.post('/destinations', { ...given, transformationId })
              : api.put(`/destinations/${made.id}`, { transformationId });
          await eventually(async () => {
            const { rows } = await other.query(
              `select from pg_locks join pg_stat_activity using (pid)
             where not granted and locktype = 'transactionid' and datname = current_database()`,
            );
            expect(rows).toHaveLength(1);
          });
          await other.query('commit');
          expect(await named).toMatchObject({
            status: 400,
            body: { errors: [{ path: 'transformationId', code: 'unknown_transformation' }] },
          });
        } finally {
          await other.end();
        }
      },
    );

    it('are not for connectors that send batches', async () => {
      const { id: transformationId } = await aTransformation();
      const config = {
        bucket: 'events',
        region: 'eu-1',
        accessKeyId: 'k',
        secretAccessKey: 'a-secret-of-the-bucket',
      };
      const given = { name: 'Bucket', type: 's3-export', config, transformationId };
      const { status, body } = await api.post('/destinations', given);
      expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 400, path: 'transformationId' });
    });

    it('are in documents of the configuration, named by destinations', async () => {
      const document = (shop: string) => ({
        version: 1,
        transformations: [{ name: 'Of the document', code: SHOP.replace('north', shop) }],
        destinations: [
          {
            name: 'Of the document',
            type: 'webhook',
            config: { url: receiver.url, secret: SECRET },
            transformation: 'Of the document',
          },
        ],
      });
      expect((await api.put('/config', document('north'))).body.changes).toMatchObject([
        { action: 'create', kind: 'transformation' },
        { action: 'create', kind: 'destination' },
      ]);
      expect((await api.put('/config', document('north'))).body.changes).toEqual([]);
      expect((await api.put('/config', document('south'))).body.changes).toMatchObject([
        { action: 'update', kind: 'transformation', fields: [{ path: 'code' }] },
      ]);
      const { body: exported } = await api.get('/config/export');
      expect(exported.destinations).toMatchObject([{ transformation: 'Of the document' }]);
      const broken = {
        version: 1,
        transformations: [{ name: 'Of the document', code: 'export const x = 1;' }],
      };
      const { status, body } = await api.put('/config', broken);
      expect({ status, path: body.errors?.[0]?.path }).toEqual({
        status: 400,
        path: 'transformations[0].code',
      });
      const unknown = { ...document('south'), transformations: undefined };
      const other = { ...unknown, destinations: [{ ...unknown.destinations[0], transformation: 'Nobody' }] };
      expect((await api.put('/config', other)).body.errors[0].path).toBe('destinations[0].transformation');
    });
  });
});
