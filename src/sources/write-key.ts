import { createHash, randomBytes } from 'node:crypto';

/** A new write key: the lowercase hex SHA-256 over 32 random bytes and the source id. */
export function newWriteKey(sourceId: string): string {
  return createHash('sha256').update(randomBytes(32)).update(sourceId).digest('hex');
}

/** What a write key is looked up by: its SHA-256, so that the database never holds a usable credential. */
export function hashWriteKey(writeKey: string): Buffer {
  return createHash('sha256').update(writeKey).digest();
}
