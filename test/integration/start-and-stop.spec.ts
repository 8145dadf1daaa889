import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { isRunning } from '../../src/platform/database/embedded/running-process';
import {
  type BuiltService,
  buildService,
  launchService,
  postmasterOf,
  startBuiltService,
  temporaryFolder,
} from '../support/built-service';
import { eventually } from '../support/eventually';

jest.setTimeout(120_000);

describe('the built service', () => {
  const services: BuiltService[] = [];
  let folder: ReturnType<typeof temporaryFolder>;

  beforeAll(buildService);

  beforeEach(() => {
    folder = temporaryFolder();
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

  async function refusal(env: Record<string, string>): Promise<string> {
    const service = await launchService({ CDP_DATA_DIR: folder.path, ...env });
    services.push(service);
    expect(await service.ended).toBe(1);
    return service.output();
  }

  it('stops everything on SIGTERM and finds its data at the next start', async () => {
    const first = await start();
    expect(statSync(join(folder.path, 'secrets.json')).mode & 0o777).toBe(0o600);
    const secrets = readFileSync(join(folder.path, 'secrets.json'), 'utf8');
    await execute(folder.path, 'create table keepsake (id int)');
    const postmaster = postmasterOf(folder.path);

    expect(await first.stop()).toBe(0);
    expect(isRunning(postmaster)).toBe(false);
    expect(existsSync(join(folder.path, 'postgres.lock'))).toBe(false);

    await start();
    await execute(folder.path, 'select from keepsake');
    expect(readFileSync(join(folder.path, 'secrets.json'), 'utf8')).toBe(secrets);
  });

  it('stops the PostgreSQL that a killed service left behind, and goes on with its data', async () => {
    const first = await start();
    await execute(folder.path, 'create table keepsake (id int)');
    const orphan = postmasterOf(folder.path);
    await first.kill();
    expect(isRunning(orphan)).toBe(true);

    const second = await start();
    expect(isRunning(orphan)).toBe(false);
    expect(second.output()).toContain(`Stopped PostgreSQL (process ${orphan}) of a service that was killed`);
    await execute(folder.path, 'select from keepsake');
  });

  it('recovers when the service and PostgreSQL were both killed, even if the process id is in use again', async () => {
    const first = await start();
    const postmaster = postmasterOf(folder.path);
    process.kill(postmaster, 'SIGKILL');
    await first.kill();
    const pidFile = join(folder.path, 'postgres', 'postmaster.pid');
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(postmaster), String(process.pid)));
    await start();
    expect(postmasterOf(folder.path)).not.toBe(process.pid);
  });

  it('starts PostgreSQL again when it dies while the service runs', async () => {
    const service = await start();
    const postmaster = postmasterOf(folder.path);
    process.kill(postmaster, 'SIGKILL');
    await eventually(() => expect(service.output()).toContain('PostgreSQL is back'), 60_000);
    expect(postmasterOf(folder.path)).not.toBe(postmaster);
    await execute(folder.path, 'select 1');
  });

  it('refuses a data folder that another service uses', async () => {
    const first = await start();
    expect(await refusal({})).toMatch(
      new RegExp(`^The data folder ${folder.path} is used .*process ${first.process.pid}`),
    );
  });

  it('stops in good order when told to while it starts', async () => {
    const service = await launchService({ CDP_DATA_DIR: folder.path });
    await eventually(() => postmasterOf(folder.path));
    const postmaster = postmasterOf(folder.path);
    expect(await service.stop()).toBe(0);
    expect(isRunning(postmaster)).toBe(false);
  });

  it('says in one line that the port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    try {
      const output = await refusal({ PORT: String(port) });
      expect(output).toBe(
        `Cannot listen on 127.0.0.1:${port}: another program uses that port. Stop it, or set PORT to another one.\n`,
      );
    } finally {
      blocker.close();
    }
  });

  it.each([
    [
      { CDP_DATABASE_URL: 'postgres://u:pass@127.0.0.1:1/cdp' },
      /^PostgreSQL at 127\.0\.0\.1:1\/cdp cannot be used \(.*ECONNREFUSED.*CDP_DATABASE_URL\.\n$/,
    ],
    [
      { CDP_DATA_DIR: '/dev/null/data' },
      /^The data folder \/dev\/null\/data is not writable for .* CDP_DATA_DIR to another folder\.\n$/,
    ],
    [{ PORT: 'http' }, /^The configuration is not valid\.\n {2}PORT: .*\n$/],
    [{ NODE_ENV: 'production' }, /^CDP_ENCRYPTION_KEY is not set: .*\n$/],
    [{ NODE_ENV: 'production', CDP_ENCRYPTION_KEY: 'k'.repeat(32) }, /^CDP_JWT_JWKS_URL is not set: .*\n$/],
    [{ CDP_JWT_JWKS_URL: 'https://login.example.com/keys' }, /^CDP_JWT_ISSUER is not set: .*\n$/],
  ])('refuses %j with a line that says what to do', async (env: Record<string, string>, line) => {
    expect(await refusal(env)).toMatch(line);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('works as root in a folder that nobody else may enter', async () => {
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

/** Runs SQL in the embedded database of a data folder. */
async function execute(dataFolder: string, sql: string): Promise<void> {
  const cluster = join(dataFolder, 'postgres');
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(cluster, 'service-password'), 'utf8');
  const client = new Client({ connectionString: `postgres://cdp:${password}@127.0.0.1:${port}/cdp` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
