import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { isRunning } from '../../src/platform/database/embedded/running-process';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import {
  type BuiltService,
  buildService,
  launchService,
  postmasterOf,
  startBuiltService,
  temporaryFolder,
} from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { startTcpProxy } from '../support/tcp-proxy';
import { createTestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');

jest.setTimeout(120_000);

describe('the built service', () => {
  const services: BuiltService[] = [];
  let folder: ReturnType<typeof temporaryFolder>;
  /** What the first start made: making it takes most of the time of a start. */
  const template = temporaryFolder();

  beforeAll(buildService);
  afterAll(() => template.remove());

  beforeEach(() => {
    folder = temporaryFolder();
    copyFolder(template.path, folder.path);
    chmodSync(folder.path, 0o755);
  });

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    folder.remove();
  });

  async function start(env: Record<string, string> = {}): Promise<BuiltService> {
    const service = await startBuiltService({ CDP_DATA_DIR: folder.path, ...env });
    services.push(service);
    return service;
  }

  async function launch(env: Record<string, string> = {}): Promise<BuiltService> {
    const service = await launchService({ CDP_DATA_DIR: folder.path, ...env });
    services.push(service);
    return service;
  }

  async function refusal(env: Record<string, string>): Promise<string> {
    const service = await launch(env);
    expect(await service.ended).toBe(1);
    return service.output();
  }

  it('stops everything on SIGTERM and finds its data at the next start', async () => {
    const first = await start();
    expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600);
    const secrets = readFileSync(join(folder.path, 'secrets.json'), 'utf8');
    await execute(folder.path, 'create table keepsake (id int)');
    // A page that the disk gives back damaged is to be noticed.
    expect(await execute(folder.path, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
    const postmaster = postmasterOf(folder.path);

    expect(await first.stop()).toBe(0);
    expect(isRunning(postmaster)).toBe(false);
    expect(existsSync(join(folder.path, 'postgres.lock'))).toBe(false);
    copyFolder(folder.path, template.path);

    await start();
    await execute(folder.path, 'select from keepsake');
    expect(readFileSync(join(folder.path, 'secrets.json'), 'utf8')).toBe(secrets);
  });

  it('stops the PostgreSQL that a killed service left behind, and goes on with its data', async () => {
    const first = await start();
    await execute(folder.path, 'create table second_keepsake (id int)');
    const orphan = postmasterOf(folder.path);
    await first.kill();
    expect(isRunning(orphan)).toBe(true);

    const second = await start();
    expect(isRunning(orphan)).toBe(false);
    expect(second.output()).toContain(`Stopped PostgreSQL (process ${orphan}) of a service that was killed`);
    await execute(folder.path, 'select from second_keepsake');
  });

  it('recovers when the service and PostgreSQL were both killed, even if the process id is in use again', async () => {
    const first = await start();
    const postmaster = postmasterOf(folder.path);
    // One of its processes does not notice, as when it waits for the disk.
    const [leftover] = childrenOf(postmaster) as [number];
    process.kill(leftover, 'SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    await first.kill();
    const pidFile = join(folder.path, 'postgres', 'postmaster.pid');
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(postmaster), String(process.pid)));
    const second = await start();
    expect(postmasterOf(folder.path)).not.toBe(process.pid);
    expect(isRunning(leftover)).toBe(false);
    expect(second.output()).toContain('Killed what a PostgreSQL that was killed had left');
  });

  it('waits for a PostgreSQL that recovers, says so, and stops in good order meanwhile', async () => {
    const first = await start();
    await execute(folder.path, 'create table third_keepsake (id int)');
    await first.stop();
    // It recovers until it is told to stop that.
    const cluster = join(folder.path, 'postgres');
    const standby = join(cluster, 'standby.signal');
    makeFileOfOwner(cluster, standby);
    appendFileSync(join(cluster, 'postgresql.auto.conf'), "hot_standby = 'off'\n");

    const told = await launch();
    await eventually(() => expect(told.output()).toContain('PostgreSQL is not ready yet'), 60_000);
    expect(await told.stop()).toBe(0);

    const service = await launch();
    await eventually(() => expect(service.output()).toContain('PostgreSQL is not ready yet'), 60_000);
    expect(service.output()).toContain(`see ${cluster}.log`);
    const refusals = (): number => readFileSync(`${cluster}.log`, 'utf8').match(/FATAL/g)?.length ?? 0;
    const [before, beganAt] = [refusals(), Date.now()];
    await eventually(() => expect(refusals()).toBeGreaterThanOrEqual(before + 4));
    // Few of its lines are about the service, so that those about the recovery are found. A slow machine has fewer.
    expect(Date.now() - beganAt).toBeGreaterThan(2_000);
    makeFileOfOwner(cluster, join(cluster, 'promote'));
    process.kill(postmasterOf(folder.path), 'SIGUSR1');
    await eventually(() => expect(service.output()).toContain('is ready'), 60_000);
    await execute(folder.path, 'select from third_keepsake');
  });

  it('says so when PostgreSQL runs and does not let the service in', async () => {
    const first = await start();
    await execute(folder.path, `alter role cdp password 'of somebody else'`);
    await first.stop();
    expect(await refusal({})).toMatch(
      /^The embedded PostgreSQL cannot be used: .*password authentication failed for user "cdp"\n$/,
    );
    expect(existsSync(join(folder.path, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  it('says why PostgreSQL does not start', async () => {
    await (await start()).stop();
    rmSync(join(folder.path, 'postgres', 'pg_wal'), { recursive: true });
    expect(await refusal({})).toMatch(
      /^The embedded PostgreSQL does not start: .*required WAL directory "pg_wal" does not exist\n$/,
    );
  });

  it('refuses a data folder in use, tells that PostgreSQL hangs, and starts it again when it dies', async () => {
    const service = await start();
    expect(await refusal({})).toMatch(
      new RegExp(`^The data folder ${folder.path} is used .*process ${service.process.pid}`),
    );

    const postmaster = postmasterOf(folder.path);
    const frozen = [postmaster, ...childrenOf(postmaster)];
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    expect((await ask(service, '/health/live')).status).toBe(200);
    const answer = await ask(service, '/health/ready');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ checks: { database: 'down' } });
    expect((await ask(service, '/metrics')).status).toBe(200);
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    await eventually(async () => expect((await ask(service, '/health/ready')).status).toBe(200));

    process.kill(postmaster, 'SIGKILL');
    await eventually(() => expect(service.output()).toContain('PostgreSQL is back'), 60_000);
    expect(postmasterOf(folder.path)).not.toBe(postmaster);
    await execute(folder.path, 'select 1');
  });

  it('stops in good order while PostgreSQL hangs, and what it has taken is delivered by the next one', async () => {
    const database = await createTestDatabase();
    const receiver = await Receiver.start();
    const target = new URL(database.url);
    const proxy = await startTcpProxy(target.hostname, Number(target.port));
    target.host = `127.0.0.1:${proxy.port}`;
    const env = { CDP_JWT_SECRET: 'a-secret-of-some-length', CDP_ENCRYPTION_KEY: 'a-key-of-some-length' };
    try {
      const hung = await start({ ...env, CDP_DATABASE_URL: target.href, CDP_SHUTDOWN_GRACE_SECONDS: '12' });
      const authorization = `Bearer ${await aToken({ jwtSecret: env.CDP_JWT_SECRET })}`;
      const api = new ApiClient(hung.url, { authorization });
      const { body: source } = await api.post('/sources', { name: 'Shop' });
      await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
      const messageIds = ['m-1', 'm-2', 'm-3'];
      expect(await sendTracks({ url: hung.url, writeKey: source.writeKey }, messageIds)).toBe(200);
      // One of these connections is what the request under way waits for.
      await Promise.all(Array.from({ length: 10 }, (_, n) => api.post('/sources', { name: `Shop ${n}` })));
      proxy.silence();
      const finish = await begin(hung, '/destinations', { authorization });
      const stopped = hung.stop();
      expect(await finish('{"name":"Other","type":"webhook","config":{"url":"https://example.com"}}')).toBe(
        503,
      );
      expect(await stopped).toBe(0);

      await start({ ...env, CDP_DATABASE_URL: database.url });
      await eventually(() => {
        const arrived = receiver.received.map(({ body }) => JSON.parse(body).messageId);
        expect(arrived).toEqual(expect.arrayContaining(messageIds));
      }, 60_000);
    } finally {
      await Promise.all(services.splice(0).map((service) => service.stop()));
      await receiver.stop();
      await proxy.close();
      await database.drop();
    }
  });

  it('stops in good order when PostgreSQL hangs from the goodbye of its worker on', async () => {
    const database = await createTestDatabase();
    const target = new URL(database.url);
    const proxy = await startTcpProxy(target.hostname, Number(target.port));
    target.host = `127.0.0.1:${proxy.port}`;
    try {
      const service = await start({
        CDP_JWT_SECRET: 'a-secret-of-some-length',
        CDP_ENCRYPTION_KEY: 'a-key-of-some-length',
        CDP_DATABASE_URL: target.href,
        CDP_SHUTDOWN_GRACE_SECONDS: '12',
      });
      proxy.silenceAt('delete from delivery_worker');
      expect(await service.stop()).toBe(0);
    } finally {
      await Promise.all(services.splice(0).map((service) => service.stop()));
      await proxy.close();
      await database.drop();
    }
  });

  it('gives no worker the id of one that lives on when PostgreSQL dies', async () => {
    const service = await start();
    const alive = await eventually(async () => {
      const [worker] = await execute(folder.path, 'select id from delivery_worker');
      expect(worker).toBeDefined();
      return worker as { id: number };
    });
    process.kill(postmasterOf(folder.path), 'SIGKILL');
    await eventually(() => expect(service.output()).toContain('PostgreSQL is back'), 60_000);
    const [next] = await execute(
      folder.path,
      `select nextval(pg_get_serial_sequence('delivery_worker', 'id'))::int as id`,
    );
    expect((next as { id: number }).id).toBeGreaterThan(alive.id);
  });

  it('says how to get a token of its data folder, and a token of another folder that it is one', async () => {
    const service = await start();
    expect(service.output()).toContain(`CDP_DATA_DIR=${folder.path} npm run token`);
    const printToken = (dataFolder: string): SpawnSyncReturns<string> =>
      spawnSync(process.execPath, [join(ROOT, 'dist/cli/token.js')], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, CDP_DATA_DIR: dataFolder },
      });
    expect(printToken(folder.path)).toMatchObject({ status: 0, stderr: '' });
    const other = join(folder.path, 'other');
    expect(printToken(other)).toMatchObject({ status: 0, stderr: expect.stringContaining('CDP_DATA_DIR') });
    expect(printToken(other)).toMatchObject({ status: 0, stderr: '' });
  });

  it('says where tokens come from when production has no provider', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/cli/token.js')], {
      encoding: 'utf8',
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        CDP_DATABASE_EMBEDDED: 'true',
        CDP_ENCRYPTION_KEY: 'an-encryption-key-of-the-test',
        CDP_BOOTSTRAP_TOKENS: 'true',
      },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^There is no identity provider .*cdp token --bootstrap/);
  });

  it('stops in good order when told to while it starts', async () => {
    const service = await launchService({ CDP_DATA_DIR: folder.path });
    const postmaster = await eventually(() => postmasterOf(folder.path));
    expect(await service.stop()).toBe(0);
    expect(isRunning(postmaster)).toBe(false);
  });

  it('says in one line that the port is in use, before it makes a database', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    try {
      const dataFolder = join(folder.path, 'empty');
      const output = await refusal({ PORT: String(port), CDP_DATA_DIR: dataFolder });
      expect(output).toBe(
        `Cannot listen on 127.0.0.1:${port}: another program uses that port. Stop it, or set PORT to another one.\n`,
      );
      expect(existsSync(join(dataFolder, 'postgres'))).toBe(false);
    } finally {
      blocker.close();
    }
  });

  it('reads nothing of dist/ once it runs, so that a build may replace it', async () => {
    const root = join(folder.path, 'installed');
    cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const env = { CDP_DATA_DIR: folder.path, CDP_JWT_SECRET: 'a-secret-of-some-length' };
    const service = await startBuiltService(env, { root, cwd: folder.path });
    services.push(service);
    const receiver = await Receiver.start();
    try {
      rmSync(join(root, 'dist'), { recursive: true });
      const authorization = `Bearer ${await aToken({ jwtSecret: env.CDP_JWT_SECRET })}`;
      const api = new ApiClient(service.url, { authorization });
      const { body: source } = await api.post('/sources', { name: 'Shop' });
      await api.post('/destinations', { name: 'Hook', type: 'webhook', config: { url: receiver.url } });
      await sendTracks({ url: service.url, writeKey: source.writeKey }, ['m-1', 'm-2', 'm-3']);
      await eventually(() => expect(receiver.received).toHaveLength(3));
      for (const path of ['/docs', '/openapi.json', '/metrics', '/health/ready'])
        expect((await ask(service, path)).status).toBe(200);
      expect(await service.stop()).toBe(0);
      expect(service.output()).not.toMatch(/Cannot find module|ENOENT/);
    } finally {
      await receiver.stop();
    }
  });

  it('refuses what cannot be with a line that says what to do', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [
        { CDP_DATABASE_URL: 'postgres://u:pass@127.0.0.1:1/cdp' },
        /^PostgreSQL at 127\.0\.0\.1:1\/cdp cannot be used \(.*ECONNREFUSED.*CDP_DATABASE_URL\.\n$/,
      ],
      [
        { CDP_DATA_DIR: '/dev/null/data' },
        /^The data folder \/dev\/null\/data is not writable for .* CDP_DATA_DIR to another folder\.\n$/,
      ],
      [{ PORT: 'http' }, /^The configuration is not valid\.\n {2}PORT: .*\n$/],
      [
        { NODE_ENV: 'production' },
        /^CDP_DATABASE_URL is not set: .*CDP_DATABASE_EMBEDDED=true\.\nCDP_ENCRYPTION_KEY is .*\nCDP_JWT_JWKS_URL is .*\nCDP_JWT_ISSUER is .*\nCDP_JWT_AUDIENCE is not set: .*\n$/,
      ],
      [
        {
          NODE_ENV: 'production',
          CDP_ROLES: 'worker',
          CDP_JWT_SECRET: 'a-secret-of-the-test-of-starting',
          CDP_DATABASE_EMBEDDED: 'true',
        },
        /^CDP_ENCRYPTION_KEY is not set: .*\n$/,
      ],
      [
        { CDP_DATABASE_EMBEDDED: 'false' },
        /^CDP_DATABASE_URL is not set: .* with CDP_DATABASE_EMBEDDED=false none is started here\.\n$/,
      ],
      // What only takes events in opens no secret.
      [{ NODE_ENV: 'production', CDP_ROLES: 'events' }, /^CDP_DATABASE_URL is not set: .*\n$/],
      [
        { CDP_JWT_JWKS_URL: 'https://login.example.com/keys', CDP_JWT_AUDIENCE: 'cdp' },
        /^CDP_JWT_ISSUER is not set: .*\n$/,
      ],
    ];
    // At once: each takes a second, and none disturbs another.
    const outputs = await Promise.all(cases.map(([env]) => refusal(env)));
    for (const [index, [, line]] of cases.entries()) expect(outputs[index]).toMatch(line);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('works as root in a folder that nobody else may enter', async () => {
    rmSync(join(folder.path, 'postgres'), { recursive: true, force: true });
    chmodSync(folder.path, 0o700);
    const first = await start();
    expect(first.output()).toContain('its files lie in /var/lib/cdp-service/');
    const cluster = realpathSync(join(folder.path, 'postgres'));
    try {
      await execute(folder.path, 'create table keepsake (id int)');
      await first.stop();
      const second = await start();
      await execute(folder.path, 'select from keepsake');
      await second.stop();
    } finally {
      rmSync(cluster, { recursive: true, force: true });
    }
  });
});

/** Keeps owners and modes, which PostgreSQL looks at. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to]);
}

/** Makes an empty file that belongs to whom `of` belongs to. */
function makeFileOfOwner(of: string, file: string): void {
  writeFileSync(file, '');
  const { uid, gid } = statSync(of);
  chownSync(file, uid, gid);
}

function childrenOf(pid: number): number[] {
  const output = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return output.trim().split('\n').map(Number);
}

/** Begins to post JSON. Resolves once the service has taken it up, to what sends the body and waits for the status. */
async function begin(
  { url }: BuiltService,
  path: string,
  headers: Record<string, string>,
): Promise<(body: string) => Promise<number | undefined>> {
  const asked = request(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', expect: '100-continue' },
  });
  asked.flushHeaders();
  await once(asked, 'continue');
  return async (body) => {
    asked.end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
}

function ask(service: BuiltService, path: string): Promise<Response> {
  return fetch(service.url + path, { signal: AbortSignal.timeout(5_000) });
}

/** Runs SQL in the embedded database of a data folder. */
async function execute(dataFolder: string, sql: string): Promise<unknown[]> {
  const cluster = join(dataFolder, 'postgres');
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(cluster, 'service-password'), 'utf8');
  const client = new Client({ connectionString: `postgres://cdp:${password}@127.0.0.1:${port}/cdp` });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
