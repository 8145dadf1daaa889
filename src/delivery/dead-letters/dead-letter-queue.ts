import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { JobDispatcher } from '../../platform/queues/job-dispatcher';
import {
  type DeadKey,
  findDeadAmong,
  findRecentlyDead,
  readDeadLetters,
} from '../ledger/dead-letters/read-dead-letters';
import { aDeadLetterJob, deadLetterJobId, deliveryOfJob, KEPT_DEAD_LETTERS } from './dead-letter-job';

/** Letters are filed for this many deliveries at a time. */
const PAGE = 100;

/** The failed jobs that show dead letters to people. PostgreSQL has all dead letters, the queue the newest thousand. */
@Injectable()
export class DeadLetterQueue {
  private readonly logger = new Logger(DeadLetterQueue.name);

  constructor(
    private readonly database: Database,
    private readonly dispatcher: JobDispatcher,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Files letters for those of the deliveries that are dead. Never rejects: what is missing is filed by {@link agree}. */
  async file(deliveryIds: readonly string[]): Promise<void> {
    const shown = deliveryIds.slice(-KEPT_DEAD_LETTERS);
    try {
      for (let start = 0; start < shown.length; start += PAGE) {
        const letters = await readDeadLetters(shown.slice(start, start + PAGE), this.database);
        const { publicUrl } = this.config.management;
        const jobs = letters.map((letter) => aDeadLetterJob(letter, publicUrl));
        await this.dispatcher.dispatch('dead-letters', jobs);
      }
    } catch (error) {
      this.logger.warn(`Dead letters will be filed later: ${String(error)}`);
    }
  }

  /** Takes letters back whose deliveries were replayed or discarded. Never rejects. */
  async withdraw(keys: readonly DeadKey[]): Promise<void> {
    const queue = this.dispatcher.queue('dead-letters');
    try {
      for (const key of keys.slice(-KEPT_DEAD_LETTERS)) await queue.remove(deadLetterJobId(key));
    } catch (error) {
      // May stop here: the queue is away, or a worker is at the job. The next comparison removes what is left.
      this.logger.debug(`Dead letters will be withdrawn later: ${String(error)}`);
    }
  }

  /** Takes all letters back whose deliveries are not dead any more. Never rejects. */
  async withdrawOver(): Promise<void> {
    try {
      await this.removeOver(await this.shownJobIds());
    } catch (error) {
      this.logger.debug(`Dead letters will be withdrawn later: ${String(error)}`);
    }
  }

  /**
   * Makes the queue show what PostgreSQL has: files letters that are missing, of deliveries made after `sinceMs` and
   * given up within an hour, and withdraws those of deliveries that are not dead any more.
   * @throws when PostgreSQL or the queue is away
   */
  async agree(sinceMs: number): Promise<void> {
    const jobIds = await this.shownJobIds();
    const left = await this.removeOver(jobIds);
    const known = new Set(jobIds);
    const recent = await findRecentlyDead(sinceMs, KEPT_DEAD_LETTERS, this.database);
    const missing = recent.filter((key) => !known.has(deadLetterJobId(key)));
    // Older ones made room for newer ones: only what there is room for is missing.
    const room = Math.max(KEPT_DEAD_LETTERS - left, 0);
    await this.file(
      missing
        .slice(0, room)
        .map(({ deliveryId }) => deliveryId)
        .toReversed(),
    );
  }

  /** Whether the queue has no letters at all; false while it is away, since nothing can be filed then. */
  async showsNone(): Promise<boolean> {
    const queue = this.dispatcher.queue('dead-letters');
    try {
      return (await queue.count()) === 0 && (await queue.getFailedCount()) === 0;
    } catch {
      return false;
    }
  }

  private shownJobIds(): Promise<string[]> {
    return this.dispatcher.queue('dead-letters').getRanges(['failed'], 0, -1);
  }

  /** Returns how many letters of deliveries are left. */
  private async removeOver(jobIds: readonly string[]): Promise<number> {
    const shown = new Map(
      jobIds.flatMap((jobId) => {
        const deliveryId = deliveryOfJob(jobId);
        return deliveryId === undefined ? [] : [[jobId, deliveryId] as const];
      }),
    );
    const dead = await findDeadAmong([...new Set(shown.values())], this.database);
    const rightful = new Set(dead.map(deadLetterJobId));
    const queue = this.dispatcher.queue('dead-letters');
    for (const jobId of shown.keys()) if (!rightful.has(jobId)) await queue.remove(jobId);
    return rightful.size;
  }
}
