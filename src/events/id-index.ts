import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../platform/background/background-work';
import { Config } from '../platform/config/config';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import { Database } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import { EventStore } from './event-store';
import { eventTable } from './partitions/event-tables';
import { currentPartition } from './partitions/partition-plan';

const INTERVAL_MS = 3_000;
/** `pages_per_range` of the index. */
const RANGE_PAGES = 16;
/** What one look takes in at most, in pages of 8 KB: 256 MB. What was left before that waits for autovacuum. */
const MAX_PAGES = 32_768;

// Only while nobody has, or waits for, a lock on the table that this statement would wait for: it would keep its
// connection, and with it the end of the process, for as long. Autovacuum, which such a wait would cancel, does the same
// work. `extend` is a lock of inserts that it does not wait for. Begins where the last round ended, or anew in a table
// that has been truncated since.
const summarizeSql = prepared('summarize_event_ids')`
  with partition as (
    select i.indexrelid::regclass as index,
      pg_relation_size(i.indrelid) / current_setting('block_size')::int / ${RANGE_PAGES} * ${RANGE_PAGES} as "end"
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass($1) and a.amname = 'brin' and not exists (
      select from pg_locks l
      where l.database = (select oid from pg_database where datname = current_database())
        and l.relation = i.indrelid and l.locktype = 'relation'
        and l.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'))
  )
  select "end"::float8, (
    select count(brin_summarize_range(index, block))
    from generate_series(
      greatest(case when $2::bigint <= "end" then $2::bigint end, "end" - ${MAX_PAGES}, 0),
      "end" - ${RANGE_PAGES}, ${RANGE_PAGES}) as block) as ranges
  from partition`;

/**
 * Keeps the index of ids up with the events that this process stores. PostgreSQL itself, where it is let
 * (`autosummarize`), remembers 256 ranges that are to be indexed and comes to them once a minute. From some 800 events a
 * second on that is too few, and all others, up to a fifth of the partition, would be read whenever somebody looks for an
 * event by its id.
 */
@Injectable()
export class IdIndex extends BackgroundWork {
  protected readonly loop = this.every(INTERVAL_MS, () => this.follow(), 'Event ids are indexed later');
  /** Up to which page each partition is done. */
  private readonly ends = new Map<string, number>();
  private storedCount = 0;

  constructor(
    private readonly config: Config,
    private readonly store: EventStore,
    private readonly database: Database,
  ) {
    super();
  }

  /** Indexes what came in since the last time, and what is in no index just before it. @throws when PostgreSQL is away. */
  async follow(): Promise<void> {
    const { storedCount } = this.store;
    if (storedCount === this.storedCount) return;
    const now = databaseNowMs();
    const table = eventTable(this.config);
    // Around the turn of two partitions both.
    for (const name of new Set([currentPartition(table, now - INTERVAL_MS), currentPartition(table, now)])) {
      const [row] = await this.database.query<{ end: number }>(summarizeSql, [
        name,
        this.ends.get(name) ?? 0,
      ]);
      if (row === undefined) return; // Next time.
      this.ends.set(name, row.end);
    }
    this.storedCount = storedCount;
  }
}
