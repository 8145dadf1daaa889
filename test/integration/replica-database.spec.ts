import { Logger } from '@nestjs/common';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { ReplicaDatabase } from '../../src/platform/database/replica-database';
import { freePort } from '../support/free-port';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let primary: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  Logger.overrideLogger(false);
  [primary, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all([primary.drop(), other.drop()]));

async function databaseThatAnswers(replicaUrl?: string): Promise<string> {
  const config = Config.from({ CDP_DATABASE_URL: primary.url, CDP_DATABASE_REPLICA_URL: replicaUrl });
  const database = new Database(config);
  const replica = new ReplicaDatabase(config, database);
  try {
    const statement = { name: 'which-database', text: 'select current_database() as name' };
    const [row] = await replica.query<{ name: string }>(statement);
    return row!.name;
  } finally {
    await Promise.all([replica.close(), database.close()]);
  }
}

const nameOf = (database: TestDatabase): string => new URL(database.url).pathname.slice(1);

describe('ReplicaDatabase', () => {
  it('asks the replica when there is one', async () => {
    expect(await databaseThatAnswers(other.url)).toBe(nameOf(other));
  });

  it('asks the primary when there is no replica', async () => {
    expect(await databaseThatAnswers()).toBe(nameOf(primary));
  });

  it('asks the primary when the replica is away', async () => {
    expect(await databaseThatAnswers(`postgres://cdp@127.0.0.1:${await freePort()}/cdp`)).toBe(
      nameOf(primary),
    );
  });

  it('does not hide an error of the statement', async () => {
    const config = Config.from({ CDP_DATABASE_URL: primary.url, CDP_DATABASE_REPLICA_URL: other.url });
    const database = new Database(config);
    const replica = new ReplicaDatabase(config, database);
    await expect(replica.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await Promise.all([replica.close(), database.close()]);
  });

  it('keeps the limit of a statement', async () => {
    const config = Config.from({ CDP_DATABASE_URL: primary.url, CDP_DATABASE_REPLICA_URL: other.url });
    const database = new Database(config);
    const replica = new ReplicaDatabase(config, database);
    await expect(replica.query({ text: 'select pg_sleep(20)', limitMs: 50 })).rejects.toMatchObject({
      code: '57014',
    });
    await Promise.all([replica.close(), database.close()]);
  });
});
