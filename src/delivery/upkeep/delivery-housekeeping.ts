import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { DeadLetterQueue } from '../dead-letters/dead-letter-queue';
import { DeadDeliveries } from '../dead-letters/dead-deliveries';
import { cancelOrphans } from '../ledger/ending/cancel-deliveries';
import { expireDeliveries } from '../ledger/ending/expire-deliveries';
import { PendingFrom } from '../ledger/pending-from';
import { recallMisdated } from '../ledger/waiting/recall-misdated';
import { longestWaitMs } from '../retries/retry-policy';

const INTERVAL_MS = 15_000;
/** All but what has a wrong time, which people may be waiting for. */
const TIDY_INTERVAL_MS = 30_000;
/** One statement ends this many deliveries at most, and is repeated while there are more. */
const GROUP = 5_000;
/** The queue and PostgreSQL are compared so often. */
const AGREE_INTERVAL_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Ends what would otherwise stay pending for ever: deliveries of deleted destinations, and those that are older than
 * `CDP_DELIVERY_MAX_AGE_HOURS`. Keeps the letters in the queue `dead-letters` in agreement with PostgreSQL.
 */
@Injectable()
export class DeliveryHousekeeping extends BackgroundWork {
  private agreeAt = 0;
  private tidyAt = 0;
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.recallOrTidy(),
    'Housekeeping did not succeed',
  );

  constructor(
    private readonly database: Database,
    private readonly pendingFrom: PendingFrom,
    private readonly letters: DeadLetterQueue,
    private readonly deadDeliveries: DeadDeliveries,
    private readonly config: Config,
  ) {
    super();
  }

  /** Does all of it. @throws when PostgreSQL is away. */
  async tidy(givenMs?: number): Promise<void> {
    const nowMs = givenMs ?? (await this.earlierTime());
    await this.repeat((limit) => cancelOrphans(limit, this.pendingFrom.id, this.database));
    await this.recall();
    const maxAgeMs = this.config.delivery.maxAgeMs;
    await this.repeat((limit) => this.expire(limit, nowMs - maxAgeMs));
    await this.agreeOnDeadLetters(nowMs - maxAgeMs - HOUR_MS);
  }

  private async recallOrTidy(): Promise<void> {
    const now = performance.now();
    if (now < this.tidyAt) return this.recall();
    this.tidyAt = now + TIDY_INTERVAL_MS - INTERVAL_MS / 2;
    await this.tidy();
  }

  private recall(): Promise<void> {
    return recallMisdated(this.longestPauseMs, this.pendingFrom.id, this.database);
  }

  /**
   * The time of PostgreSQL, by which ids are made, or of this process: nothing is too old because one of them is ahead.
   */
  private async earlierTime(): Promise<number> {
    const [clock] = await this.database.query<{ ms: number }>(
      'select (extract(epoch from now()) * 1000)::float8 as ms',
    );
    return Math.min(Date.now(), clock?.ms ?? Date.now());
  }

  private get longestPauseMs(): number {
    const { backoff, graceMs } = this.config.delivery;
    return longestWaitMs(backoff) + graceMs;
  }

  private async expire(limit: number, beforeMs: number): Promise<number> {
    const expired = await expireDeliveries(
      limit,
      { pendingFrom: this.pendingFrom.id, beforeMs },
      this.database,
    );
    this.deadDeliveries.follow(expired, 'expired');
    return expired.length;
  }

  /** @param end ends this many deliveries at most, and returns how many */
  private async repeat(end: (limit: number) => Promise<number>): Promise<void> {
    while ((await end(GROUP)) === GROUP && !this.loop.stopping);
  }

  /** At once when the queue shows nothing, for then it has lost its letters; else once a minute. */
  private async agreeOnDeadLetters(sinceMs: number): Promise<void> {
    const now = performance.now();
    if (now < this.agreeAt && !(await this.letters.showsNone())) return;
    this.agreeAt = now + AGREE_INTERVAL_MS;
    try {
      await this.letters.agree(sinceMs);
    } catch (error) {
      // May stop here: letters are shown for people, and compared again in a minute.
      this.logger.debug(`Dead letters could not be compared: ${String(error)}`);
    }
  }
}
