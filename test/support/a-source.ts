import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hashWriteKey } from '../../src/sources/write-key';

export interface TestSource {
  readonly id: string;
  readonly writeKey: string;
  /** As another process would do it. */
  disable(): Promise<void>;
}

/** A source made straight in the database, for tests that only need its write key. */
export async function aSource(databaseUrl: string): Promise<TestSource> {
  const id = randomUUID();
  const writeKey = randomBytes(32).toString('hex');
  await execute(
    databaseUrl,
    'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
    [id, `test source ${id}`, hashWriteKey(writeKey), ''],
  );
  await execute(databaseUrl, 'update source_change set version = version + 1', []);
  return {
    id,
    writeKey,
    disable: async () => {
      await execute(databaseUrl, 'update source set enabled = false where id = $1', [id]);
      await execute(databaseUrl, 'update source_change set version = version + 1', []);
    },
  };
}

async function execute(databaseUrl: string, sql: string, params: unknown[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql, params);
  } finally {
    await client.end();
  }
}
