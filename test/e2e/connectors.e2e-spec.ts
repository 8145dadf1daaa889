import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { anEvent } from '../support/an-event';
import { anApiClient, ApiClient } from '../support/api-client';
import { type BuiltService, buildService, launchService, startBuiltService } from '../support/built-service';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService } from '../support/test-service';

jest.setTimeout(180_000);
// How ES modules find it is told to Node's own loader, which is not the one of Jest.
jest.mock('../../src/connectors/resolve-kit', () => ({ resolveKit: () => undefined }));

const JWT_SECRET = 'test-secret-of-some-length';
const TOKEN = 'token-of-the-crm-that-nobody-may-see';

/** Two connectors as people write them, one of each kind, with no package `cdp-service` around them. */
const MODULE = `
  const { throwIfFailed } = require('cdp-service/connector');
  const { IsString } = require(${JSON.stringify(require.resolve('class-validator'))});
  class Config {}
  for (const member of ['url', 'token']) IsString()(Config.prototype, member);
  const declaration = { name: 'CRM', configClass: Config, secretFields: ['token'] };
  async function post(path, body, { url, token }, { http, logger }) {
    const headers = { authorization: 'Bearer ' + token };
    const answer = await http.request({ method: 'POST', url: url + path, headers, body });
    logger.info('The CRM answered', { status: answer.status });
    return throwIfFailed(answer);
  }
  exports.connectors = [
    {
      ...declaration,
      id: 'crm',
      send: ({ body }, config, context) => post('/one', body, config, context),
      check: ({ url }) => (url.includes('silent') ? new Promise(() => undefined) : Promise.resolve([])),
      describeRequest({ body }, { url, token }) {
        if (body.includes('second')) throw new Error('cannot say with ' + token);
        if (body.includes('unfinished')) return new Promise(() => undefined);
        const headers = { authorization: 'Basic ' + btoa(':' + token), 'x-key': token, 'x-count': 1 };
        return { method: 'POST', url: url + '/one?key=' + token, headers };
      },
    },
    {
      ...declaration,
      id: 'crm-bulk',
      batchLimits: () => ({ maxEvents: 100, maxBytes: 1e6, flushSeconds: 1 }),
      checkAccess: async () => ({}),
      async sendBatch(batch, config, context) {
        const bodies = [];
        for await (const { body } of batch.events()) bodies.push(body);
        return post('/many', '[' + bodies + ']', config, context);
      },
    },
  ];`;

/** One as an ES module, in a package. */
const PACKAGE_MODULE = `
  import { RetryableDeliveryError } from 'cdp-service/connector';
  import validator from ${JSON.stringify(require.resolve('class-validator'))};
  class Config {}
  validator.IsString()(Config.prototype, 'url');
  export default class Other {
    id = 'other';
    name = 'Other';
    configClass = Config;
    secretFields = [];
    async send() {
      throw new RetryableDeliveryError('not_today');
    }
  }`;

describe('connectors that CDP_CONNECTORS names', () => {
  let folder: string;
  let database: TestDatabase;
  let sql: Client;
  let receiver: Receiver;
  let service: BuiltService;

  beforeAll(async () => {
    buildService();
    folder = mkdtempSync(join(tmpdir(), 'cdp-test-connectors-'));
    writeFileSync(join(folder, 'crm.cjs'), MODULE);
    const packaged = join(folder, 'node_modules', 'cdp-connector-other');
    mkdirSync(packaged, { recursive: true });
    writeFileSync(join(packaged, 'index.mjs'), PACKAGE_MODULE);
    writeFileSync(join(packaged, 'package.json'), '{"name": "cdp-connector-other", "main": "index.mjs"}');
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await sql.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  function environment(connectors: string): Record<string, string> {
    return {
      NODE_ENV: 'test',
      CDP_DATABASE_URL: database.url,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      CDP_CONNECTORS: connectors,
      CDP_DELIVERY_GRACE_MS: '100',
      CDP_DELIVERY_BACKOFF_MS: '2000',
      CDP_DELIVERY_BACKOFF_CAP_MS: '2000',
    };
  }

  async function apiOf({ url }: BuiltService): Promise<ApiClient> {
    return new ApiClient(url, { authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}` });
  }

  it('are used, and may be taken away for a while: what they have to deliver waits for them', async () => {
    service = await startBuiltService(
      environment(`${folder}/crm.cjs,${folder}/node_modules/cdp-connector-other`),
    );
    let api = await apiOf(service);
    const { body: installed } = await api.get('/connectors');
    expect(installed).toMatchObject([
      { id: 'webhook', sends: 'event' },
      { id: 's3-export', sends: 'batch' },
      { id: 'crm', sends: 'event', configSchema: { properties: { token: { writeOnly: true } } } },
      { id: 'crm-bulk', sends: 'batch', configSchema: { required: ['url', 'token'] } },
      { id: 'other', sends: 'event' },
    ]);
    const unknown = await api.post('/destinations', { name: 'X', type: 'crn', config: {} });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_destination_type' } });
    expect(unknown.body.message).toContain('installed: webhook, s3-export, crm, crm-bulk, other');
    const config = { url: receiver.url, token: TOKEN };
    const silent = { ...config, url: 'https://silent.example' };
    expect(await api.post('/destinations', { name: 'Silent', type: 'crm', config: silent })).toMatchObject({
      status: 503,
      body: { code: 'connector_silent' },
    });
    const created = await api.post('/destinations', { name: 'One by one', type: 'crm', config });
    expect(created.body.config).toEqual({ url: receiver.url, token: '****-see' });
    const one = created.body.id;
    const bulk = (await api.post('/destinations', { name: 'In bulk', type: 'crm-bulk', config })).body.id;
    const { writeKey } = await aSource(database.url);

    receiver.behaviour = ({ headers }, response) =>
      void response.writeHead(500).end(`${'.'.repeat(1_000)}${headers.authorization} `.repeat(3));
    expect(await sendTracks({ url: service.url, writeKey }, ['first'])).toBe(200);
    await eventually(async () => expect(await triesOf(one)).toEqual([1]));
    await eventually(async () => expect(await triesOf(bulk)).toEqual([1]));
    await service.stop();
    const before = [await triesOf(one), await triesOf(bulk)];

    service = await startBuiltService(environment(''));
    api = await apiOf(service);
    expect(service.output()).toContain('Connector "crm" is not installed');
    const { body: destination } = await api.get(`/destinations/${one}`);
    expect(destination).toMatchObject({ connectorInstalled: false, config: { url: receiver.url } });
    expect(await sendTracks({ url: service.url, writeKey }, ['second'])).toBe(200);
    // Due for some rounds of the sweeper.
    await eventually(async () => {
      const { rows } = await sql.query(
        `select from delivery where state = 'pending' and destination_id = $1 and due_at < now() - interval '3 s'`,
        [one],
      );
      expect(rows).toHaveLength(2);
    });
    expect(await triesOf(one)).toEqual([...(before[0] ?? []), 0]);
    expect(await triesOf(bulk)).toEqual([...(before[1] ?? []), 0]);
    const { body: stats } = await api.get(`/destinations/${one}/stats`);
    expect(stats).toMatchObject({ health: { state: 'degraded', reason: 'connector_not_installed' } });
    const { body: deliveries } = await api.get(`/destinations/${one}/deliveries?limit=1`);
    const waitOf = async (): Promise<unknown> =>
      (await api.get(`/deliveries/${deliveries[0].id}`)).body.waitsFor;
    expect(await waitOf()).toBe('connector_not_installed');
    // During an upgrade another worker may have it.
    await sql.query(`insert into delivery_worker (beats, connectors) values (1, '{crm}')`);
    expect(await waitOf()).not.toBe('connector_not_installed');
    expect((await api.get(`/destinations/${one}/stats`)).body.health.reason).not.toBe(
      'connector_not_installed',
    );
    await sql.query(`delete from delivery_worker where connectors = '{crm}'`);
    const { body: test } = await api.post(`/destinations/${one}/test`);
    expect(test).toMatchObject({ delivered: false, errorClass: 'connector_not_installed' });
    expect(await api.put(`/destinations/${one}`, { config })).toMatchObject({ status: 400 });
    expect(await api.put(`/destinations/${one}`, { name: 'Renamed' })).toMatchObject({ status: 200 });
    await service.stop();

    receiver.behaviour = (_delivery, response) => void response.end();
    receiver.received.length = 0;
    service = await startBuiltService(
      environment(`${folder}/crm.cjs,${folder}/node_modules/cdp-connector-other`),
    );
    await eventually(async () => {
      const { rows } = await sql.query('select state, count(*)::int as count from delivery group by state');
      expect(rows).toEqual([{ state: 'delivered', count: 4 }]);
    });
    expect(await triesOf(one)).toEqual([(before[0]?.[0] ?? 0) + 1, 1]);
    expect(receiver.received.filter(({ path }) => path === '/one')).toHaveLength(2);
    const sentInBulk = receiver.received.filter(({ path }) => path === '/many');
    expect(sentInBulk.flatMap(({ body }) => JSON.parse(body) as unknown[])).toHaveLength(2);
  });

  it('describe their requests, without secrets, or say why not', async () => {
    const api = await apiOf(service);
    const { body: destinations } = await api.get('/destinations');
    const { id } = destinations.find(({ type }: { type: string }) => type === 'crm');
    const { body: deliveries } = await api.get(`/destinations/${id}/deliveries`);
    const requests = await Promise.all(
      deliveries.map(async ({ id: deliveryId }: { id: string }) => api.get(`/deliveries/${deliveryId}`)),
    );
    const [second, first] = requests.map(({ body: { request } }) => request);
    expect(first).toEqual({
      method: 'POST',
      url: `${receiver.url}/one?key=****`,
      headers: { authorization: 'Basic ****', 'x-key': '****', 'x-count': '1' },
      body: expect.stringContaining('"first"'),
      problem: null,
    });
    expect(second).toEqual({
      method: null,
      url: null,
      headers: {},
      body: expect.stringContaining('"second"'),
      problem: 'cannot say with ****',
    });
  });

  it('are not waited for when they never say what they send', async () => {
    const api = await apiOf(service);
    const { body: destinations } = await api.get('/destinations');
    const { id } = destinations.find(({ type }: { type: string }) => type === 'crm');
    const { writeKey } = await aSource(database.url);
    await sendTracks({ url: service.url, writeKey }, ['unfinished']);
    const newest = async (): Promise<{ id: string; userId: string }> =>
      (await api.get(`/destinations/${id}/deliveries?limit=1`)).body[0];
    await eventually(async () => expect(await newest()).toMatchObject({ userId: 'user-10' }));
    const { body } = await api.get(`/deliveries/${(await newest()).id}`);
    expect(body.request).toMatchObject({
      method: null,
      body: expect.stringContaining('"unfinished"'),
      problem: 'The connector has not answered within 2 s.',
    });
  });

  it('show their secrets to nobody', async () => {
    const { rows } = await sql.query(
      `select d::text as text from destination d union all select a::text from audit_entry a
       union all select a.answer from delivery_attempt a where a.answer like '...%'`,
    );
    expect(rows.length).toBeGreaterThan(2);
    // What a receiver repeats of its request is recorded.
    expect(rows.at(-1)?.text).toBe(`${'.'.repeat(1_000)}Bearer **** ${'.'.repeat(12)}`);
    const { body } = await (await apiOf(service)).get('/destinations');
    for (const text of [service.output(), JSON.stringify(rows), JSON.stringify(body)]) {
      expect(text).not.toContain(TOKEN);
    }
  });

  it('may send batches in one release and single events in the next, and the other way round', async () => {
    await service.stop();
    const file = join(folder, 'turncoat.cjs');
    const release = (id: string): void =>
      writeFileSync(
        file,
        `const { connectors } = require('./crm.cjs');
        module.exports = { connector: { ...connectors.find(({ id }) => id === '${id}'), id: 'turncoat' } };`,
      );
    const deliveredOf = async (id: string): Promise<number> => {
      const { rows } = await sql.query(
        `select from delivery where destination_id = $1 and state = 'delivered'`,
        [id],
      );
      return rows.length;
    };
    const refuse: Receiver['behaviour'] = (_delivery, response) => void response.writeHead(500).end();
    const accept: Receiver['behaviour'] = (_delivery, response) => void response.end();

    release('crm-bulk');
    receiver.behaviour = refuse;
    service = await startBuiltService(environment(file));
    const config = { url: receiver.url, token: TOKEN };
    const api = await apiOf(service);
    const { id } = (await api.post('/destinations', { name: 'Turncoat', type: 'turncoat', config })).body;
    const { writeKey } = await aSource(database.url);
    await sendTracks({ url: service.url, writeKey }, ['in-a-batch']);
    await eventually(async () => expect(await triesOf(id)).toEqual([1]));
    await service.stop();

    release('crm');
    receiver.behaviour = accept;
    service = await startBuiltService(environment(file));
    await eventually(async () => expect(await deliveredOf(id)).toBe(1), 30_000);
    receiver.behaviour = refuse;
    await sendTracks({ url: service.url, writeKey }, ['by-itself']);
    await eventually(async () => expect((await triesOf(id))[1]).toBeGreaterThan(0));
    await service.stop();

    release('crm-bulk');
    receiver.behaviour = accept;
    receiver.received.length = 0;
    service = await startBuiltService(environment(file));
    await eventually(async () => expect(await deliveredOf(id)).toBe(2), 30_000);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/many']);
  });

  it('stop the boot with their name and the reason when they cannot be used', async () => {
    const file = join(folder, 'broken.cjs');
    writeFileSync(file, 'throw new Error("it needs a licence")');
    const broken = await launchService(environment(file));
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toBe(
      `CDP_CONNECTORS: the connector "${file}" cannot be used: it needs a licence\n`,
    );
  });

  async function triesOf(destinationId: string): Promise<number[]> {
    const { rows } = await sql.query<{ attempts: number }>(
      'select attempts from delivery where destination_id = $1 order by id',
      [destinationId],
    );
    return rows.map(({ attempts }) => attempts);
  }
});

/** Connectors that do not look at the end of a try. */
const ENDLESS = `
  const { IsString } = require(${JSON.stringify(require.resolve('class-validator'))});
  class Config {}
  IsString()(Config.prototype, 'url');
  const endless = () => new Promise(() => undefined);
  const declaration = { name: 'Endless', configClass: Config, secretFields: [] };
  const batchLimits = () => ({ maxEvents: 1, maxBytes: 1e6, flushSeconds: 1 });
  exports.connectors = [
    { ...declaration, id: 'endless', send: endless },
    { ...declaration, id: 'endless-bulk', batchIsRequest: true, batchLimits, sendBatch: endless },
  ];`;

describe('connectors that never end a try', () => {
  it('have it ended for them, alone or in batches', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdp-test-connectors-'));
    const file = join(folder, 'endless.cjs');
    writeFileSync(file, ENDLESS);
    const service = await startTestService({
      env: { CDP_CONNECTORS: file, CDP_DELIVERY_TIMEOUT_MS: '1000', CDP_DELIVERY_MAX_ATTEMPTS: '1' },
    });
    try {
      const api = await anApiClient(service);
      const make = async (type: string): Promise<string> => {
        const given = { name: type, type, config: { url: 'https://endless.example' } };
        return (await api.post('/destinations', given)).body.id;
      };
      const ids = [await make('endless'), await make('endless-bulk')];
      await deliver(service, [anEvent()]);
      for (const id of ids)
        await eventually(async () =>
          expect(await ledgerOf(service, id)).toMatchObject([{ state: 'dead', error_class: 'timeout' }]),
        );
      const { body } = await api.post(`/destinations/${ids[0]}/test`);
      expect(body).toMatchObject({ delivered: false, errorClass: 'timeout' });
    } finally {
      await service.close();
      rmSync(folder, { recursive: true });
    }
  });
});

/** One whose batches are requests, to an API that says what it will never take. */
const PICKY = `
  const { throwIfFailed } = require(${JSON.stringify(require.resolve('../../src/connectors/kit'))});
  const { IsString } = require(${JSON.stringify(require.resolve('class-validator'))});
  class Config {}
  IsString()(Config.prototype, 'url');
  exports.connectors = [{
    name: 'Picky',
    id: 'picky-bulk',
    configClass: Config,
    secretFields: [],
    batchIsRequest: true,
    batchLimits: () => ({ maxEvents: 100, maxBytes: 1e6, flushSeconds: 1 }),
    async sendBatch(batch, { url }, { http }) {
      const bodies = [];
      for await (const { body } of batch.events()) bodies.push(body);
      return throwIfFailed(await http.request({ method: 'POST', url, headers: {}, body: '[' + bodies + ']' }));
    },
  }];`;

describe('connectors whose batches are requests', () => {
  it('lose nothing of a batch but what is refused for good', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdp-test-connectors-'));
    const file = join(folder, 'picky.cjs');
    writeFileSync(file, PICKY);
    const receiver = await Receiver.start();
    receiver.behaviour = ({ body }, response) => {
      response.writeHead(body.includes('Refused') ? 422 : 200).end();
    };
    const service = await startTestService({ env: { CDP_CONNECTORS: file } });
    try {
      const api = await anApiClient(service);
      const given = { name: 'Picky', type: 'picky-bulk', config: { url: receiver.url } };
      const { id } = (await api.post('/destinations', given)).body;
      await deliver(
        service,
        Array.from({ length: 20 }, (_, n) => anEvent({ event: n === 7 ? 'Refused' : 'Order Completed' })),
      );
      await eventually(async () => {
        const states = (await ledgerOf(service, id)).map(({ state }) => state);
        expect(states.toSorted()).toEqual(['dead', ...Array(19).fill('delivered')]);
      });
    } finally {
      await service.close();
      await receiver.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
