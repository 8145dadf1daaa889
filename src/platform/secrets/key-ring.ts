import { createHash } from 'node:crypto';

/** An AES-256 key and the name it has in envelopes. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The keys in `CDP_ENCRYPTION_KEY`, separated by commas: the first seals, all of them open. The id is derived from
 * the key, so that ids and keys need not be kept together.
 */
export function parseKeyRing(encryptionKey: string): [SealingKey, ...SealingKey[]] {
  const [first, ...others] = keysOf(encryptionKey).map(toSealingKey);
  if (first === undefined) throw new Error('CDP_ENCRYPTION_KEY: holds no key');
  return [first, ...others];
}

/** The keys of a list, as they were given. */
export function keysOf(encryptionKey: string): string[] {
  return encryptionKey
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function toSealingKey(text: string): SealingKey {
  const bytes = createHash('sha256').update(text).digest();
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8), bytes };
}
