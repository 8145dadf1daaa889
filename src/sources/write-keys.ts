import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LiveCopy } from '../platform/background/live-copy';
import { Lookout } from '../platform/background/lookout';
import { Database } from '../platform/database/database';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import type { SourceKind } from './source-kind';

/** The source a write key belongs to. */
export interface AuthenticatedSource {
  readonly id: string;
  readonly name: string;
  readonly kind: SourceKind;
  /** The plan that its events are checked by. */
  readonly trackingPlanId: string | null;
}

interface KeyRow extends AuthenticatedSource {
  readonly keyHash: string;
  /** By PostgreSQL's clock, in milliseconds since 1970; null is for ever. */
  readonly untilMs: number | null;
}

/** By hash; undefined for a key that was refused, and would be again until a source changes. */
type Keys = Map<string, KeyRow | undefined>;

/** Two for each of the most sources that there can be, and as many that were refused: some MB. */
const MAX_KEYS = 40_000;

/** The columns of an {@link AuthenticatedSource}. */
const sourceColumns = 'id, name, kind, tracking_plan_id as "trackingPlanId"';

const enabledKeysSql = `
  select encode(write_key_hash, 'hex') as "keyHash", ${sourceColumns}, null::float8 as "untilMs"
  from source where enabled
  union all
  select encode(previous_write_key_hash, 'hex'), ${sourceColumns},
    (extract(epoch from previous_write_key_expires_at) * 1000)::float8
  from source where enabled and previous_write_key_hash is not null`;

/** Finds the source of a write key, by the SHA-256 of the key. */
@Injectable()
export class WriteKeys {
  private readonly logger = new Logger(WriteKeys.name);
  private readonly copy: LiveCopy<KeyRow, Keys>;

  constructor(database: Database, lookout: Lookout) {
    const original = {
      name: 'write_keys',
      versionSql: 'select version from source_change',
      rowsSql: enabledKeysSql,
      build: (rows: readonly KeyRow[]): Keys => new Map(rows.map((row) => [row.keyHash, row])),
    };
    this.copy = new LiveCopy(original, database);
    this.copy.follow(lookout, (error) => this.logger.debug(`Sources could not be read: ${String(error)}`));
  }

  /**
   * The enabled source with this key. A key that no process has refused works as soon as it is made; one that is
   * deleted is refused within about a second. Unknown, deleted and disabled keys take the same way, hence the same
   * time.
   * @throws the error of the driver when PostgreSQL is away and the answer is not known.
   */
  async find(writeKey: string): Promise<AuthenticatedSource | undefined> {
    const keyHash = hash('sha256', writeKey, 'hex');
    const known = this.copy.value;
    return sourceOf((known.has(keyHash) ? known : await this.ask(keyHash)).get(keyHash));
  }

  /** After a change to a source, so that it holds at once in this process. */
  async refresh(): Promise<void> {
    // May stop here: the change is made, and the look of every second follows.
    await this.copy.refresh().catch((error: unknown) => this.logger.debug(String(error)));
  }

  private async ask(keyHash: string): Promise<Keys> {
    const keys = await this.copy.refresh();
    if (!keys.has(keyHash) && keys.size < MAX_KEYS) keys.set(keyHash, undefined);
    return keys;
  }
}

function sourceOf(key: KeyRow | undefined): AuthenticatedSource | undefined {
  if (key === undefined || (key.untilMs !== null && key.untilMs <= databaseNowMs())) return undefined;
  // Not the row itself: it also has the hash, and what the copy in memory reads beside it.
  return { id: key.id, name: key.name, kind: key.kind, trackingPlanId: key.trackingPlanId };
}
