import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../config/config';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets for rest in the database: AES-256-GCM under `CDP_ENCRYPTION_KEY`. */
@Injectable()
export class SecretBox {
  private readonly key: Buffer;

  constructor(@Inject(Config) config: Config) {
    this.key = createHash('sha256').update(config.encryptionKey).digest();
  }

  /** @returns an envelope `v1.<base64url of nonce, tag and ciphertext>`. */
  seal(plaintext: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce);
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
  }

  /** @throws when the envelope was made with another key or was changed. */
  open(envelope: string): string {
    const bytes = Buffer.from(envelope.slice(envelope.indexOf('.') + 1), 'base64url');
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  }
}
