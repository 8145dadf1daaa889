import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** A source that sends all the time is written so often, by each process. */
const INTERVAL_MS = 10_000;
/** What is heard in this time is written together. */
const GATHER_MS = 1_000;

// Sorted, so that two processes that hear the same wait for each other but never in a circle.
const hearSql = prepared('hear_sources')`
  with heard as (select id, now() as at from source where id = any($1::uuid[]) order by id)
  insert into source_heard (source_id, heard_at) select id, at from heard
  on conflict (source_id) do update set heard_at = excluded.heard_at`;

/** Notes when sources sent something last. A crash forgets the last second. */
@Injectable()
export class HeardSources implements OnModuleDestroy {
  private readonly logger = new Logger(HeardSources.name);
  /** When they may be written again, by the clock of `performance`. */
  private readonly quietUntil = new Map<string, number>();
  private heard = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  hear(sourceId: string): void {
    if (performance.now() < (this.quietUntil.get(sourceId) ?? 0)) return;
    this.heard.add(sourceId);
    this.timer ??= setTimeout(() => void this.write(), GATHER_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.write();
  }

  private async write(): Promise<void> {
    this.timer = undefined;
    if (this.heard.size === 0) return;
    const ids = [...this.heard];
    this.heard = new Set();
    for (const id of ids) this.quietUntil.set(id, performance.now() + INTERVAL_MS);
    try {
      await this.database.query(hearSql, [ids]);
    } catch (error) {
      // May stop here: the next event says it again.
      for (const id of ids) this.quietUntil.delete(id);
      this.logger.debug(`When sources sent something is not noted: ${String(error)}`);
    }
  }
}
