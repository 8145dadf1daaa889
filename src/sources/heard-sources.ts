import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** A source that sends all the time is written so often, by each process. */
const INTERVAL_MS = 10_000;
/** What is heard in this time is written together. */
const GATHER_MS = 1_000;

// Sorted, so that two processes that hear the same wait for each other but never in a circle.
const hearSql = prepared('hear_sources')`
  with heard as (
    select s.id, now() - make_interval(secs => r.ago_ms / 1000) as at
    from unnest($1::uuid[], $2::float8[]) as r(source_id, ago_ms) join source as s on s.id = r.source_id order by s.id
  )
  insert into source_heard (source_id, heard_at) select id, at from heard
  on conflict (source_id) do update set heard_at = greatest(source_heard.heard_at, excluded.heard_at)`;

/** Notes when sources sent something last. A crash forgets the last seconds. */
@Injectable()
export class HeardSources implements OnModuleDestroy {
  private readonly logger = new Logger(HeardSources.name);
  /** When they may be written again; this and what is heard by the clock of `performance`. */
  private readonly quietUntil = new Map<string, number>();
  private readonly heardAt = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  hear(sourceId: string): void {
    this.heardAt.set(sourceId, performance.now());
    this.timer ??= setTimeout(() => void this.writeDue(), GATHER_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    await this.write([...this.heardAt]);
  }

  private async writeDue(): Promise<void> {
    const now = performance.now();
    const due = [...this.heardAt].filter(([id]) => now >= (this.quietUntil.get(id) ?? 0));
    for (const [id] of due) this.heardAt.delete(id);
    this.timer = undefined;
    if (this.heardAt.size > 0) this.timer = setTimeout(() => void this.writeDue(), GATHER_MS).unref();
    await this.write(due);
  }

  private async write(heard: readonly (readonly [id: string, at: number])[]): Promise<void> {
    if (heard.length === 0) return;
    const now = performance.now();
    for (const [id] of heard) this.quietUntil.set(id, now + INTERVAL_MS);
    try {
      await this.database.query(hearSql, [heard.map(([id]) => id), heard.map(([, at]) => now - at)]);
    } catch (error) {
      // May stop here: the next event says it again.
      for (const [id] of heard) this.quietUntil.delete(id);
      this.logger.debug(`When sources sent something is not noted: ${String(error)}`);
    }
  }
}
