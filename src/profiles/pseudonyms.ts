import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Subject } from '../events/customer-event';
import { Database, type Tx } from '../platform/database/database';
import { SecretBox } from '../platform/secrets/secret-box';

const KEY_BYTES = 32;

const readKeySql = 'select key_sealed from pseudonym_key';
const makeKeySql = 'insert into pseudonym_key (key_sealed) values ($1) on conflict do nothing';

/**
 * Stands for people where their ids must not be: a keyed hash can be compared and names no person. The key is
 * random and sealed in the database, so that it outlives a new CDP_ENCRYPTION_KEY.
 */
@Injectable()
export class Pseudonyms {
  private key: Buffer | undefined;

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  /** To be called before a transaction that needs the first pseudonym ever: its rollback must not take the key back. */
  async prepare(): Promise<void> {
    if (this.key !== undefined) return;
    await this.database.query(makeKeySql, [this.secretBox.seal(randomBytes(KEY_BYTES).toString('base64'))]);
    await this.readKey(this.database);
  }

  /** The pseudonym of each subject: 32 bytes. @throws when there is no key yet, see `prepare`. */
  async of(subjects: Iterable<Subject>, tx: Tx): Promise<Map<Subject, Buffer>> {
    const key = this.key ?? (await this.readKey(tx));
    return new Map(
      [...new Set(subjects)].map((subject) => [subject, createHmac('sha256', key).update(subject).digest()]),
    );
  }

  private async readKey(tx: Tx): Promise<Buffer> {
    const [row] = await tx.query<{ key_sealed: string }>(readKeySql);
    if (row === undefined) throw new Error('The key of the pseudonyms was not made.');
    this.key = Buffer.from(this.secretBox.open(row.key_sealed), 'base64');
    return this.key;
  }
}
