import { Client } from 'pg';
import { aToken } from './a-token';
import { ApiClient } from './api-client';
import { type BuiltService, buildService, startBuiltService } from './built-service';
import { createTestDatabase } from './test-database';

const JWT_SECRET = 'test-secret-of-some-length';

/** A service as a process that is killed in the middle of something, and what is around it. */
export interface KilledService {
  readonly databaseUrl: string;
  /** Looks at what there is. */
  readonly database: Client;
  /** Holds a lock, so that the middle lasts. */
  readonly blocker: Client;
  /** The first process, and the next one. */
  start(): Promise<BuiltService>;
  apiOf(service: BuiltService): Promise<ApiClient>;
  close(): Promise<void>;
}

export async function aKilledService(): Promise<KilledService> {
  buildService();
  const { url, drop } = await createTestDatabase();
  const [database, blocker] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  await Promise.all([database.connect(), blocker.connect()]);
  return {
    databaseUrl: url,
    database,
    blocker,
    start: () =>
      startBuiltService({
        CDP_DATABASE_URL: url,
        CDP_JWT_SECRET: JWT_SECRET,
        CDP_ENCRYPTION_KEY: 'test-encryption-key-of-some-length',
      }),
    apiOf: async (service) =>
      new ApiClient(service.url, { authorization: `Bearer ${await aToken({ jwtSecret: JWT_SECRET })}` }),
    close: async () => {
      await Promise.all([database.end(), blocker.end()]);
      await drop();
    },
  };
}
