import { Injectable } from '@nestjs/common';
import { EventStore } from '../../events/event-store';
import { DAY_MS, lowestId } from '../../events/partitions/partition-plan';
import { BackgroundWork } from '../../platform/background/background-work';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { LOWEST_ID } from '../../platform/database/statements/export-part';
import { prepared } from '../../platform/database/statements/prepared';
import { Metrics } from '../../platform/metrics/metrics';
import { dropQuarantinedByKey } from './keep-quarantined-events';

const INTERVAL_MS = 10 * 60_000;
const PART_ROWS = 5_000;
/** Of a round. All have to be looked at within a window of deduplication: of a day, that is 14 million. */
const MAX_LOOKED_AT = 100_000;

const dropOldSql = `
  delete from quarantined_event
  where id in (select id from quarantined_event where id < $1 order by id limit ${PART_ROWS}) returning 1`;
const readKeysSql = prepared('read_quarantined_keys')`
  select id, key from quarantined_event where id > $1 order by id limit ${PART_ROWS}`;

interface KeyRow {
  readonly id: string;
  readonly key: string;
}

/**
 * Deletes events that nobody has released from quarantine for as long as they are kept, and those with whose messageId
 * an event was accepted since.
 */
@Injectable()
export class QuarantineRetention extends BackgroundWork {
  private readonly dropped = this.metrics.counter({
    name: 'quarantined_events_expired_total',
    help: 'Events that were deleted because nobody had released them from quarantine.',
  });
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.dropOver(),
    'Old quarantined events are deleted later',
  );

  /** Where the look at messageIds goes on. */
  private lookedTo = LOWEST_ID;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  async dropOld(): Promise<void> {
    const days = this.config.events.quarantineRetentionDays;
    const before = lowestId(databaseNowMs() - days * DAY_MS);
    let dropped = 0;
    for (let part = PART_ROWS; part === PART_ROWS; dropped += part) {
      part = (await this.database.query(dropOldSql, [before])).length;
    }
    if (dropped === 0) return;
    this.dropped.inc(dropped);
    this.logger.warn(`Deleted ${dropped} quarantined events that nobody had released for ${days} days`);
  }

  /**
   * Deletes events that were sent again and accepted then, as when their plan was mended: a release after the window of
   * deduplication would store them once more. Looks at some, and the next time at those behind them.
   */
  async dropAccepted(): Promise<void> {
    let dropped = 0;
    for (let looked = 0; looked < MAX_LOOKED_AT && !this.loop.stopping; looked += PART_ROWS) {
      const rows = await this.database.query<KeyRow>(readKeysSql, [this.lookedTo]);
      dropped += await this.dropKnown(rows);
      const last = rows.length < PART_ROWS ? undefined : rows.at(-1);
      this.lookedTo = last?.id ?? LOWEST_ID;
      if (last === undefined) break;
    }
    if (dropped > 0) this.logger.log(`Deleted ${dropped} quarantined events that were accepted since`);
  }

  private async dropOver(): Promise<void> {
    await this.dropOld();
    await this.dropAccepted();
  }

  /** A release that has stored one of them meanwhile has deleted it by the same commit. */
  private async dropKnown(rows: readonly KeyRow[]): Promise<number> {
    const keys = rows.map(({ key }) => key);
    const known = await this.store.findKnown(keys, this.database);
    return known.size === 0 ? 0 : dropQuarantinedByKey([...known], this.database);
  }
}
