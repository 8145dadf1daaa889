import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database';

/** The source a write key belongs to. */
export interface AuthenticatedSource {
  readonly id: string;
  readonly name: string;
}

interface CachedAnswer {
  readonly source: Promise<AuthenticatedSource | undefined>;
  readonly expiresAtMs: number;
}

/** How long another process may go on accepting a key that was deleted, or refusing one that was just made. */
const TTL_MS = 3_000;
/** About 2 MB. Beyond it, e.g. when a client tries keys, the oldest results go first. */
const MAX_CACHED = 10_000;

const findSourceSql = {
  name: 'find_source_by_write_key',
  text: `
    select id, name from source where enabled and (write_key_hash = $1
      or (previous_write_key_hash = $1 and previous_write_key_expires_at > now()))`,
};

/** Finds the source of a write key: by the SHA-256 of the key, remembered for a few seconds. */
@Injectable()
export class WriteKeys {
  private readonly cache = new Map<string, CachedAnswer>();

  constructor(private readonly database: Database) {}

  /**
   * The enabled source with this key. Unknown, deleted and disabled keys take the same way, hence the same time.
   * @throws the error of the driver when PostgreSQL is away and the answer is not known.
   */
  find(writeKey: string): Promise<AuthenticatedSource | undefined> {
    const keyHash = hash('sha256', writeKey, 'hex');
    const cached = this.cache.get(keyHash);
    if (cached !== undefined && cached.expiresAtMs > Date.now()) return cached.source;
    return this.lookUp(keyHash);
  }

  /** Forgets all results, so that a change to a source holds at once in this process. */
  forget(): void {
    this.cache.clear();
  }

  private lookUp(keyHash: string): Promise<AuthenticatedSource | undefined> {
    const source = this.query(keyHash);
    this.cache.delete(keyHash);
    this.cache.set(keyHash, { source, expiresAtMs: Date.now() + TTL_MS });
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= MAX_CACHED) break;
      this.cache.delete(oldest);
    }
    source.catch(() => this.cache.delete(keyHash)); // An outage is no answer.
    return source;
  }

  private async query(keyHash: string): Promise<AuthenticatedSource | undefined> {
    const [source] = await this.database.query<AuthenticatedSource>(findSourceSql, [
      Buffer.from(keyHash, 'hex'),
    ]);
    return source;
  }
}
