import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { hashWriteKey } from '../../src/sources/write-key';

/** A source made straight in the database, for tests that only need its write key. */
export async function aSource(databaseUrl: string): Promise<{ id: string; writeKey: string }> {
  const source = { id: randomUUID(), writeKey: randomBytes(32).toString('hex') };
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      'insert into source (id, name, write_key_hash, write_key_sealed) values ($1, $2, $3, $4)',
      [source.id, 'test source', hashWriteKey(source.writeKey), ''],
    );
  } finally {
    await client.end();
  }
  return source;
}
