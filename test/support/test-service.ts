import { createService, type Service } from '../../src/bootstrap';
import { Config } from '../../src/platform/config/config';
import { schemaOf } from '../../src/platform/database/connections/schema';
import { testRedisUrl } from './test-redis';
import { createTestDatabase } from './test-database';

declare global {
  /** What `closing-environment.cjs` closes. */
  var openServices: Set<TestService> | undefined;
}

export type QueueKind = 'postgres' | 'redis';

/** The queue backends this test run has; `describe.each(queueKinds())`. */
export function queueKinds(): QueueKind[] {
  return process.env.CDP_TEST_REDIS_URL === undefined ? ['postgres'] : ['postgres', 'redis'];
}

export interface TestService extends Service {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly databaseUrl: string;
  /** The HS256 secret its tokens are signed with. */
  readonly jwtSecret: string;
}

export interface TestServiceOptions {
  readonly queue?: QueueKind;
  /** Environment variables beside the ones a test needs anyway. */
  readonly env?: Record<string, string>;
  /** Use this database, and the schema that its address says, instead of a fresh one. */
  readonly databaseUrl?: string;
}

const JWT_SECRET = 'test-secret-of-some-length';
export const TEST_ENCRYPTION_KEY = 'test-encryption-key-of-some-length';

/** Starts the whole service in this process, on a fresh database and a free port. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database =
    options.databaseUrl === undefined
      ? await createTestDatabase()
      : { url: options.databaseUrl, drop: async () => undefined };
  const config = Config.from({
    NODE_ENV: 'test',
    CDP_LOG_LEVEL: 'error',
    CDP_DATABASE_URL: database.url,
    CDP_DATABASE_SCHEMA: schemaOf(database.url),
    CDP_REDIS_URL: options.queue === 'redis' ? testRedisUrl() : undefined,
    CDP_JWT_SECRET: JWT_SECRET,
    CDP_ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...options.env,
  });
  const service = await createService(config);
  await service.app.listen(0, '127.0.0.1');
  const opened: TestService = {
    app: service.app,
    drain: () => service.drain(),
    url: (await service.app.getUrl()).replace('[::1]', '127.0.0.1'),
    databaseUrl: database.url,
    jwtSecret: JWT_SECRET,
    close: async () => {
      openServices?.delete(opened);
      await service.close();
      await database.drop();
    },
  };
  (globalThis.openServices ??= new Set()).add(opened);
  return opened;
}
