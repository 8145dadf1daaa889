import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config';
import { parseKeyRing, type SealingKey } from './key-ring';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is the matter with secrets that cannot be opened, for people. */
export const NOT_READABLE = 'are sealed with a key that CDP_ENCRYPTION_KEY lacks';

/** Seals secrets for rest in the database: AES-256-GCM under the first key of `CDP_ENCRYPTION_KEY`; opens under any. */
@Injectable()
export class SecretBox {
  private readonly sealingKey: SealingKey;
  private readonly keys: ReadonlyMap<string, SealingKey>;

  constructor(config: Config) {
    const ring = parseKeyRing(config.encryptionKey);
    this.sealingKey = ring[0];
    this.keys = new Map(ring.map((key) => [key.id, key]));
  }

  /** @returns an envelope `v1.<key id>.<base64url of nonce, tag and ciphertext>`. */
  seal(plaintext: string): string {
    const { id, bytes } = this.sealingKey;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, bytes, nonce);
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
    return `${VERSION}.${id}.${sealed}`;
  }

  /** Undefined where {@link open} throws. */
  tryOpen(envelope: string): string | undefined {
    try {
      return this.open(envelope);
    } catch {
      // May stop here: callers say what cannot be read, and go on without it.
      return undefined;
    }
  }

  /** @throws when the envelope was made with a key that is not at hand, or was changed. */
  open(envelope: string): string {
    const [, keyId = '', sealed = ''] = envelope.split('.');
    const key = this.keys.get(keyId);
    if (key === undefined)
      throw new Error(`A secret is sealed with the key ${keyId}, which CDP_ENCRYPTION_KEY lacks.`);
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }

  /** Whether an envelope was made with the key that seals now. */
  isCurrent(envelope: string): boolean {
    return envelope.split('.')[1] === this.sealingKey.id;
  }
}
