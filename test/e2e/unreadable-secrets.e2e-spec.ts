import { Config } from '../../src/platform/config/config';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { Database } from '../../src/platform/database/database';
import { Client } from 'pg';
import { anEvent } from '../support/an-event';
import { type ApiClient, anApiClient } from '../support/api-client';
import { deliver, ledgerOf } from '../support/deliver';
import { eventually } from '../support/eventually';
import { isSignedWith, Receiver } from '../support/receiver';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

const SECRET = 'a-secret-that-is-given-anew-9f3b';
const stranger = new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: 'a-key-that-nobody-has-any-more' }));

describe('destinations whose secrets are sealed with a key that is gone', () => {
  let database: TestDatabase;
  let service: TestService;
  let receiver: Receiver;
  let api: ApiClient;
  let lost: string;
  let hashing: string;
  let other: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.start();
    service = await startTestService({ databaseUrl: database.url });
    api = await anApiClient(service);
    const aDestination = async (path: string, members: object = {}): Promise<string> => {
      const config = { url: `${receiver.url}${path}`, headers: { 'X-Key': 'a-key-of-the-receiver' } };
      const given = { name: `Receiver ${path}`, type: 'webhook', config, ...members };
      return (await api.post('/destinations', given)).body.id;
    };
    lost = await aDestination('/lost');
    hashing = await aDestination('/hashing', {
      mapping: { hash: [{ path: 'userId', method: 'hmac-sha256' }] },
    });
    other = await aDestination('/other');
    await service.close();
    await loseKeys();
    service = await startTestService({
      databaseUrl: database.url,
      env: { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '1' },
    });
    api = await anApiClient(service);
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
    await database.drop();
  });

  async function loseKeys(): Promise<void> {
    const client = new Client(database.url);
    await client.connect();
    await client.query('update destination set secrets_sealed = $2 where id = $1', [
      lost,
      stranger.seal('{"secret": "gone"}'),
    ]);
    await client.query(
      `update destination set mapping = jsonb_set(mapping, '{hashKeySealed}', to_jsonb($2::text)) where id = $1`,
      [hashing, stranger.seal('gone')],
    );
    await client.end();
  }

  const arrived = (path: string): number => receiver.received.filter((one) => one.path === path).length;
  const statesOf = async (id: string): Promise<[string, number][]> =>
    (await ledgerOf(service, id)).map(({ state, attempts }) => [state, attempts]);

  it('keep the service from nothing, and the deliveries of others from going', async () => {
    await deliver(service, [anEvent()]);
    await eventually(() => expect(arrived('/other')).toBe(1));
    expect(await statesOf(lost)).toEqual([['pending', 0]]);
    expect(await statesOf(hashing)).toEqual([['pending', 0]]);
    expect(arrived('/lost') + arrived('/hashing')).toBe(0);
  });

  it('are shown without them, and say why they get nothing', async () => {
    const { body: destinations } = await api.get('/destinations');
    const readable = destinations.map((one: { id: string; secretsReadable: boolean }) => [
      one.id,
      one.secretsReadable,
    ]);
    expect(Object.fromEntries(readable)).toEqual({ [lost]: false, [hashing]: false, [other]: true });
    for (const id of [lost, hashing]) {
      const { body: stats } = await api.get(`/destinations/${id}/stats`);
      expect(stats.health).toMatchObject({ state: 'degraded', reason: 'secrets_not_readable' });
      const [waiting] = await ledgerOf(service, id);
      const { body: delivery } = await api.get(`/deliveries/${waiting?.id}`);
      expect(delivery).toMatchObject({ state: 'pending', waitsFor: 'secrets_not_readable' });
      const { body: test } = await api.post(`/destinations/${id}/test`);
      expect(test).toMatchObject({ delivered: false, errorClass: 'secrets_not_readable' });
    }
    expect((await api.get(`/destinations/${lost}`)).body.config).toEqual({
      url: `${receiver.url}/lost`,
      headers: {},
    });
  });

  it('can be changed, but for what would lose the other secrets', async () => {
    expect(await api.put(`/destinations/${lost}`, { name: 'Renamed' })).toMatchObject({ status: 200 });
    expect(await api.post(`/destinations/${lost}/rotate-secret`, {})).toMatchObject({
      status: 409,
      body: { code: 'secrets_not_readable' },
    });
    const config = { url: `${receiver.url}/lost` };
    const { status, body } = await api.put(`/destinations/${lost}`, { config });
    expect({ status, paths: body.errors?.map(({ path }: { path: string }) => path) }).toEqual({
      status: 400,
      paths: ['config.secret'],
    });
  });

  it('get all that waited once their secrets are given anew', async () => {
    const config = { url: `${receiver.url}/lost`, secret: SECRET };
    expect(await api.put(`/destinations/${lost}`, { config })).toMatchObject({
      status: 200,
      body: { secretsReadable: true, config: { secret: '****9f3b' } },
    });
    const mapping = { hash: [{ path: 'userId', method: 'hmac-sha256' }], hashKey: 'a-new-key-of-16-bytes' };
    expect(await api.put(`/destinations/${hashing}`, { mapping })).toMatchObject({
      status: 200,
      body: { secretsReadable: true },
    });
    await eventually(() => expect([arrived('/lost'), arrived('/hashing')]).toEqual([1, 1]));
    const request = receiver.received.find(({ path }) => path === '/lost');
    expect(request !== undefined && isSignedWith(SECRET, request)).toBe(true);
    await eventually(async () => expect(await statesOf(lost)).toEqual([['delivered', 1]]));
  });
});

describe('secrets that only some processes can open', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let management: TestService;
  const workers: TestService[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await Receiver.start();
    management = await startTestService({ databaseUrl: database.url, env: { CDP_ROLES: 'management' } });
  });
  afterAll(async () => {
    await Promise.all([management, ...workers].map((service) => service.close()));
    await receiver.stop();
    await database.drop();
  });

  const aWorker = async (env: Record<string, string> = {}): Promise<void> => {
    const options = { databaseUrl: database.url, env: { CDP_ROLES: 'worker', ...env } };
    workers.push(await startTestService(options));
  };

  it('are unreadable as long as no worker can, whatever the process that is asked can', async () => {
    const api = await anApiClient(management);
    const config = { url: receiver.url };
    const { id } = (await api.post('/destinations', { name: 'Receiver', type: 'webhook', config })).body;
    const standing = async (): Promise<unknown> => {
      const { body: destination } = await api.get(`/destinations/${id}`);
      const { body: stats } = await api.get(`/destinations/${id}/stats`);
      const [row] = await ledgerOf(management, id);
      const { body: delivery } = await api.get(`/deliveries/${row?.id}`);
      return [destination.secretsReadable, stats.health.state, stats.health.reason, delivery.waitsFor];
    };
    await deliver(management, [anEvent()]);
    expect(await standing()).toEqual([true, 'healthy', null, null]);

    await aWorker({ CDP_ENCRYPTION_KEY: 'a-key-that-sealed-nothing-at-all' });
    await eventually(async () =>
      expect(await standing()).toEqual([true, 'degraded', 'secrets_not_readable', 'secrets_not_readable']),
    );
    expect(receiver.received).toHaveLength(0);

    await aWorker();
    // The other one may have left its job aside: it is due in half a minute then.
    await management.app.get(Database).query(`update delivery set due_at = now() where state = 'pending'`);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await eventually(async () => expect(await standing()).toEqual([true, 'healthy', null, null]));
  });
});
