import { randomUUID } from 'node:crypto';
import type { Tx } from '../database/database';

/** A key in the hands of the request that is carried out. */
export interface KeyClaim {
  readonly keyHash: Buffer;
  /** Random: whoever takes the key later has another one. */
  readonly token: string;
}

/** What is kept of a key. */
interface KeptKey {
  readonly body_hash: Buffer;
  /** Null while its request is being worked on. */
  readonly answer_sealed: string | null;
}

/**
 * Keys are kept for a day. One that nobody prolongs any more, since its process died, is free again after a minute: the
 * first who comes then frees it, and the next one gets it.
 */
const claimSql = `
  with forgotten as (
    delete from idempotency_key where key_hash = $1 and (
      created_at < now() - interval '24 hours'
      or (answer_sealed is null and created_at < now() - interval '1 minute'))
  )
  insert into idempotency_key (key_hash, body_hash, token) values ($1, $2, $3)
  on conflict (key_hash) do nothing returning key_hash`;
const forgetSql = `delete from idempotency_key where created_at < now() - interval '24 hours'`;
const prolongSql = 'update idempotency_key set created_at = now() where key_hash = $1 and token = $2';
const readSql = 'select body_hash, answer_sealed from idempotency_key where key_hash = $1';
const keepSql = 'update idempotency_key set answer_sealed = $3 where key_hash = $1 and token = $2';
const releaseSql = 'delete from idempotency_key where key_hash = $1 and token = $2 and answer_sealed is null';

/** Undefined when another request has the key, or had it. */
export async function claimKey(keyHash: Buffer, bodyHash: Buffer, tx: Tx): Promise<KeyClaim | undefined> {
  const token = randomUUID();
  const claimed = await tx.query(claimSql, [keyHash, bodyHash, token]);
  return claimed.length === 0 ? undefined : { keyHash, token };
}

/** Deletes those that are older than they are kept. */
export async function forgetOldKeys(tx: Tx): Promise<void> {
  await tx.query(forgetSql);
}

/** To be called several times a minute while the request is worked on. */
export async function prolongClaim({ keyHash, token }: KeyClaim, tx: Tx): Promise<void> {
  await tx.query(prolongSql, [keyHash, token]);
}

/** Keeps the answer for whoever repeats the request. */
export async function keepAnswer({ keyHash, token }: KeyClaim, sealed: string, tx: Tx): Promise<void> {
  await tx.query(keepSql, [keyHash, token, sealed]);
}

/** Lets the key be used again: nothing came of the request. */
export async function releaseKey({ keyHash, token }: KeyClaim, tx: Tx): Promise<void> {
  await tx.query(releaseSql, [keyHash, token]);
}

export async function readKey(keyHash: Buffer, tx: Tx): Promise<KeptKey | undefined> {
  const [row] = await tx.query<KeptKey>(readSql, [keyHash]);
  return row;
}
