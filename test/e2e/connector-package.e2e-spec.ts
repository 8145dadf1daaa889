import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aSource } from '../support/a-source';
import { aToken } from '../support/a-token';
import { ApiClient } from '../support/api-client';
import { type BuiltService, buildService, startBuiltService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

jest.setTimeout(180_000);

const ROOT = join(__dirname, '..', '..');
const JWT_SECRET = 'test-secret-of-some-length';
const PAGE = join(ROOT, 'docs', 'write-a-connector.md');

/** What a stranger does who has the packed service and the page, without the downloads. */
describe('a connector written from docs/write-a-connector.md', () => {
  let folder: string;
  let database: TestDatabase;
  let receiver: Receiver;
  let service: BuiltService | undefined;

  beforeAll(async () => {
    buildService();
    folder = mkdtempSync(join(tmpdir(), 'cdp-test-package-'));
    // Above both projects, where Node looks for what a real installation puts beside the packages.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    database = await createTestDatabase();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await service?.stop();
    await receiver.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('compiles, passes the contract, and is used by its package name', async () => {
    const project = join(folder, 'crm');
    const place = join(folder, 'service');
    const [config, ...sources] = blocksOf(readFileSync(PAGE, 'utf8'));
    write(join(project, 'tsconfig.json'), config);
    const names = sources.map((source) => /^\s*\/\/ (\S+)\n/.exec(source)?.[1] ?? 'without a name');
    expect(names).toEqual([
      'src/crm.connector.ts',
      'src/crm-batch.connector.ts',
      'src/lines.connector.ts',
      'src/crm.test.ts',
      'src/lines.test.ts',
    ]);
    sources.forEach((source, index) => write(join(project, names[index] ?? ''), source));
    write(
      join(project, 'package.json'),
      '{"name": "cdp-connector-crm", "version": "1.0.0", "main": "dist/crm.connector.js"}',
    );
    const kit = pack(ROOT, folder);
    unpack(kit, join(project, 'node_modules', 'cdp-service'));
    node(project, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'));
    // As a shell expands `dist/*.test.js`: Node.js 20 takes no pattern, and 24 no folder.
    const tests = readdirSync(join(project, 'dist')).filter((name) => name.endsWith('.test.js'));
    node(project, '--test', ...tests.map((name) => join('dist', name)));

    unpack(pack(project, folder), join(place, 'node_modules', 'cdp-connector-crm'));
    const root = join(place, 'node_modules', 'cdp-service');
    unpack(kit, root);
    service = await startBuiltService(
      {
        NODE_ENV: 'test',
        CDP_DATABASE_URL: database.url,
        CDP_JWT_SECRET: JWT_SECRET,
        CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
        CDP_CONNECTORS: 'cdp-connector-crm',
      },
      { root, cwd: place },
    );
    const api = new ApiClient(service.url, {
      authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}`,
    });
    const created = await api.post('/destinations', {
      name: 'CRM',
      type: 'crm',
      config: { url: receiver.url, token: 'secret-token' },
    });
    expect(created).toMatchObject({ status: 201, body: { config: { token: '****oken' } } });
    const { writeKey } = await aSource(database.url);
    expect(await sendTracks({ url: service.url, writeKey }, ['from-outside'])).toBe(200);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ messageId: 'from-outside' });
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer secret-token');
    // There is no `npm run token` in that folder.
    const login = await fetch(`${service.url}/login`);
    expect(await login.text()).toContain('npx cdp token --bootstrap');
  });

  it('has the packed service under the name that the example asks for', () => {
    const { version } = manifest(ROOT);
    const { devDependencies } = manifest(join(ROOT, 'examples', 'connectors', 'slack'));
    expect(devDependencies['cdp-service']).toBe(`file:cdp-service-${version}.tgz`);
    expect(readFileSync(PAGE, 'utf8')).toContain(`cdp-service-${version}.tgz`);
  });
});

function manifest(folder: string): { version: string; devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ReturnType<typeof manifest>;
}

/** The JSON and the TypeScript of the page, in their order. */
function blocksOf(markdown: string): string[] {
  const blocks = markdown.matchAll(/^ *```(?:json|ts)\n(.*?)^ *```$/gms);
  return [...blocks].map(([, text = '']) => text);
}

function write(file: string, text: string | undefined): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text ?? '');
}

/** As `npm pack` does, of what is built already. Answers the file. */
function pack(what: string, into: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: what, encoding: 'utf8' })) as {
    filename: string;
  }[];
  return join(into, packed?.filename ?? '');
}

function unpack(file: string, into: string): void {
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', into, '--strip-components', '1']);
}

function node(cwd: string, ...args: string[]): void {
  execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
}
