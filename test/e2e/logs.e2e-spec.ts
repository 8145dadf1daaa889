import { randomUUID } from 'node:crypto';
import { openPool } from '../../src/platform/database/connections/open-pool';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, launchService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const JWT_SECRET = 'jwt-secret-that-no-log-may-have';
const ENCRYPTION_KEY = 'encryption-key-that-no-log-may-have';
const WEBHOOK_SECRET = `whsec_${Buffer.from('webhook-secret-that-no-log-has').toString('base64')}`;
const GATEWAY_KEY = 'gateway-key-that-no-log-may-have';
const RECEIVER_TOKEN = 'receiver-token-that-no-log-may-have';
/** In the payload of every event. */
const CANARY = 'payload-that-no-log-may-have';
const REQUEST_ID = 'request-to-be-found';
/** A library that warns when it is told to. */
const WARNS = `data:text/javascript,process.on('SIGUSR2',()=>process.emitWarning('Old-fashioned',{type:'OldWarning',code:'OLD'}))`;

describe('the log of a process at its most talkative', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let service: BuiltService;
  let token: string;
  let writeKey: string;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    receiver = await Receiver.start();
    receiver.answer(500, { 'x-answer': CANARY });
    service = await launchService({
      NODE_ENV: 'test',
      CDP_LOG_FORMAT: 'json',
      CDP_LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--import=${WARNS}`,
      CDP_DATABASE_URL: database.url,
      CDP_ENCRYPTION_KEY: ENCRYPTION_KEY,
      CDP_JWT_SECRET: JWT_SECRET,
      CDP_DELIVERY_MAX_ATTEMPTS: '2',
      CDP_DELIVERY_BACKOFF_MS: '20',
    });
    await eventually(
      async () => expect((await fetch(`${service.url}/health/ready`)).status).toBe(200),
      60_000,
    );
    token = await aToken({ jwtSecret: JWT_SECRET });
    await work();
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await database.drop();
  });

  /** Everything that has something to say: good and bad requests, failing deliveries, a database that goes away. */
  async function work(): Promise<void> {
    const api = new ApiClient(service.url, { authorization: `Bearer ${token}` });
    writeKey = (await api.post('/sources', { name: 'Website' })).body.writeKey;
    const headers = { 'X-Gateway-Key': GATEWAY_KEY };
    const auth = { type: 'bearer', token: RECEIVER_TOKEN };
    const config = { url: receiver.url, secret: WEBHOOK_SECRET, headers, auth };
    expect((await api.post('/destinations', { name: 'Receiver', type: 'webhook', config })).status).toBe(201);
    await api.post('/destinations', { name: 'Bad', type: 'webhook', config: { url: CANARY, secret: 7 } });
    await send({ batch: [anEvent(), { ...anEvent(), timestamp: CANARY }, CANARY] }, REQUEST_ID);
    await send(`{"batch": "${CANARY}`);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    await cutConnections();
    await refuseTraits();
    await send({ batch: [anEvent(), { ...anEvent(), userId: 'refused' }] });
    await eventually(() => expect(service.output()).toContain('An event cannot be processed'));
    service.process.kill('SIGUSR2');
    await eventually(() => expect(service.output()).toContain('OldWarning'));
    await eventually(() => expect(linesOf(service)).not.toHaveLength(1));
    expect((await api.get('/health/ready')).status).toBe(200);
  }

  async function cutConnections(): Promise<void> {
    const admin = openPool({ connectionString: database.url, max: 1 });
    await admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await admin.end();
  }

  /** As a check or a trigger of an operator does, which PostgreSQL quotes with the row. */
  async function refuseTraits(): Promise<void> {
    const admin = openPool({ connectionString: database.url, max: 1 });
    await admin.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'bad value: "of "%""', new.traits using errcode = '22000', detail = new.traits; end $$;
      create trigger refuse before insert on profile for each row when (new.subject = 'u:refused')
        execute function refuse()`);
    await admin.end();
  }

  function anEvent(): object {
    const traits = { email: CANARY };
    return {
      type: 'identify',
      userId: 'ada',
      messageId: randomUUID(),
      timestamp: new Date().toISOString(),
      traits,
    };
  }

  async function send(body: unknown, requestId: string = randomUUID()): Promise<void> {
    await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
        'x-request-id': requestId,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  it('is JSON, line by line', () => {
    for (const line of linesOf(service)) expect(line).toMatch(/^\{"level":/);
    expect(() => linesOf(service).map((line) => JSON.parse(line) as unknown)).not.toThrow();
  });

  it('has warnings of libraries', () => {
    const warning = linesOf(service).find((line) => line.includes('OldWarning')) ?? '';
    expect(JSON.parse(warning)).toMatchObject({
      level: 40,
      context: 'Node.js',
      msg: 'Old-fashioned',
      name: 'OldWarning',
      code: 'OLD',
    });
  });

  it('leads from a request over its events to their deliveries and the tries of these', async () => {
    const find = (wanted: object): Record<string, unknown> => {
      const lines = linesOf(service).map((line) => JSON.parse(line) as Record<string, unknown>);
      const found = lines.find((line) =>
        Object.entries(wanted).every(([name, value]) => line[name] === value),
      );
      if (found === undefined) throw new Error(`No line has ${JSON.stringify(wanted)}`);
      return found;
    };
    expect(find({ msg: 'Answered', requestId: REQUEST_ID })).toMatchObject({
      route: '/v1/batch',
      status: 400,
    });
    const takenIn = find({ msg: 'Events taken in', requestId: REQUEST_ID });
    expect(takenIn.rejected).toEqual([
      { index: 1, code: 'invalid_timestamp' },
      { index: 2, code: 'not_an_object' },
    ]);
    const [eventId] = takenIn.eventIds as string[];
    const { deliveryId } = find({ msg: 'Event routed', eventId });
    expect(receiver.ids()).toContain(deliveryId);
    expect(find({ msg: 'Delivery tried', deliveryId })).toMatchObject({ attempt: 1, status: 500 });
    await eventually(() =>
      expect(find({ msg: 'Delivery dead', deliveryId })).toMatchObject({
        attempt: 2,
        level: 40,
        destination: 'Receiver',
      }),
    );
  });

  it('has no payload and no secret in it', () => {
    const output = service.output();
    const secrets = [
      CANARY,
      JWT_SECRET,
      ENCRYPTION_KEY,
      WEBHOOK_SECRET,
      GATEWAY_KEY,
      RECEIVER_TOKEN,
      token,
      writeKey,
    ];
    const basic = Buffer.from(`${writeKey}:`).toString('base64');
    const password = new URL(database.url).password;
    for (const secret of [...secrets, basic, ...(password === '' ? [] : [password])]) {
      expect(output).not.toContain(secret);
    }
  });
});

function linesOf(service: BuiltService): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line !== '');
}

describe('the terminal of a service in development', () => {
  let database: TestDatabase;
  let service: BuiltService;
  let receiver: Receiver | undefined;

  beforeAll(async () => {
    buildService();
    database = await createTestDatabase();
    service = await startBuiltService({
      CDP_DATABASE_URL: database.url,
      CDP_ENCRYPTION_KEY: ENCRYPTION_KEY,
      CDP_JWT_SECRET: JWT_SECRET,
    });
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await receiver?.stop();
    await database.drop();
  });

  it('shows each request and each try that fails, and a receiver that starts gets its events within seconds', async () => {
    const api = new ApiClient(service.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    const port = await freePort();
    const { writeKey } = (await api.post('/sources', { name: 'Shop' })).body as { writeKey: string };
    const config = { url: `http://localhost:${port}/hook` };
    await api.post('/destinations', { name: 'Hook', type: 'webhook', config });
    expect(await sendTracks({ url: service.url, writeKey }, ['m-1', 'm-2', 'm-3'])).toBe(200);
    expect(await sendTracks({ url: service.url, writeKey }, ['m-3', 'x'.repeat(300)])).toBe(400);
    const rule = { type: 'track', event: 'Order Completed', onViolation: 'quarantine' };
    const rules = [{ ...rule, schema: { properties: { messageId: { pattern: '^x' } } } }];
    const { id: trackingPlanId } = (await api.post('/tracking-plans', { name: 'Plan', rules })).body as {
      id: string;
    };
    const planned = (await api.post('/sources', { name: 'Planned', trackingPlanId })).body as {
      writeKey: string;
    };
    expect(await sendTracks({ url: service.url, writeKey: planned.writeKey }, ['m-4', 'm-5'])).toBe(200);
    expect(await sendTracks({ url: service.url, writeKey: 'of-nobody' }, ['m-6'])).toBe(401);
    const headers = { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` };
    const broken = await fetch(`${service.url}/v1/batch`, { method: 'POST', headers, body: '{"batch":[' });
    expect(broken.status).toBe(400);
    await eventually(() => {
      const output = service.output();
      expect(output).toContain('[Intake] Accepted 3 events from source Shop\n');
      expect(output).toContain(
        'Accepted 0 events from source Planned; quarantined 2: 2 of track Order Completed at messageId\n',
      );
      expect(output).toMatch(
        /Accepted 0 events from source Shop; 1 was known already \(m-3\); refused 1: batch\[1\]\.messageId: .+/,
      );
      expect(output).toContain('Refused a request (401 invalid_write_key): The write key is missing');
      expect(output).toContain('Refused a request (400 invalid_json): ');
      expect(output).toMatch(
        new RegExp(
          `Not delivered to Hook: nobody listens at localhost:${port}; the next try is in \\d+\\.\\d s`,
        ),
      );
    });
    receiver = await Receiver.start(port);
    await eventually(() => expect(receiver?.received).toHaveLength(3), 20_000);
    await eventually(() =>
      expect(service.output()).toContain(
        `Delivered to Hook, the first since the start: localhost:${port} answered 200\n`,
      ),
    );
  });

  it('says that a destination is down, when it is tried, and that it works again', async () => {
    const api = new ApiClient(service.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    receiver ??= await Receiver.start();
    receiver.answer(500);
    const { id } = (
      await api.post('/destinations', { name: 'Failing', type: 'webhook', config: { url: receiver.url } })
    ).body as { id: string };
    const { writeKey } = (await api.post('/sources', { name: 'Second shop' })).body as { writeKey: string };
    const messageIds = Array.from({ length: 30 }, (_, index) => `down-${index}`);
    expect(await sendTracks({ url: service.url, writeKey }, messageIds)).toBe(200);
    await eventually(() => {
      const output = service.output();
      expect(output).toContain(`A destination is down: its deliveries wait destinationId=${id} name=Failing`);
      expect(output).toMatch(
        /Not delivered to Failing: \S+ answered 500; it is down: .*, the next is in \d+\.\d s\n/,
      );
    }, 20_000);
    // What is said of the probe is said of nothing else: no try comes before it.
    const [line = ''] =
      service
        .output()
        .match(/Not delivered to Failing: .* the next is in .* s\n/g)
        ?.slice(-1) ?? [];
    expect(line).not.toContain('next try');
    receiver.answer(200);
    await eventually(
      () =>
        expect(service.output()).toMatch(
          `A destination has recovered: what waits for it is sent destinationId=${id} name=Failing\n`,
        ),
      30_000,
    );
  }, 90_000);
});
