import { Injectable, Logger } from '@nestjs/common';
import { findDeadEventsAmong, findNewestDeadEvents, markUnfiled } from '../../events/inbox/dead-events';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { JobDispatcher } from '../../platform/queues/job-dispatcher';
import {
  type DeadKey,
  findDeadAmong,
  findRecentlyDead,
  readDeadLetters,
} from '../ledger/dead-letters/read-dead-letters';
import { deadEventJobId, eventOfJob } from './dead-event-job';
import {
  aDeadLetterJob,
  deadLetterJobId,
  deliveryOfJob,
  KEPT_DEAD_EVENTS,
  KEPT_DEAD_LETTERS,
} from './dead-letter-job';

/** Letters are filed for this many deliveries at a time. */
const PAGE = 100;

/** The failed jobs that show dead letters to people. PostgreSQL has all dead letters, the queue the newest thousand. */
@Injectable()
export class DeadLetterQueue {
  private readonly logger = new Logger(DeadLetterQueue.name);

  constructor(
    private readonly database: Database,
    private readonly dispatcher: JobDispatcher,
    private readonly config: Config,
  ) {}

  /**
   * Files letters for those of the deliveries that are dead. Never rejects: what is missing is filed by {@link agree}.
   */
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

  /** Takes all letters back of what is not dead any more. Never rejects. */
  async withdrawOver(): Promise<void> {
    try {
      await this.removeOver(await this.shownJobIds());
    } catch (error) {
      this.logger.debug(`Dead letters will be withdrawn later: ${String(error)}`);
    }
  }

  /**
   * Makes the queue show what PostgreSQL has: files letters that are missing, of deliveries made after `sinceMs` and
   * given up within an hour, has those of dead events filed, and withdraws those of what is not dead any more.
   * @throws when PostgreSQL or the queue is away
   */
  async agree(sinceMs: number): Promise<void> {
    const jobIds = await this.shownJobIds();
    const left = await this.removeOver(jobIds);
    const known = new Set(jobIds);
    await this.refileEvents(known);
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

  /** Returns how many letters are left. */
  private async removeOver(jobIds: readonly string[]): Promise<number> {
    const deliveries = await findDeadAmong(namedBy(jobIds, deliveryOfJob), this.database);
    const events = await findDeadEventsAmong(namedBy(jobIds, eventOfJob), this.database);
    const rightful = new Set([...deliveries.map(deadLetterJobId), ...events.map(deadEventJobId)]);
    const queue = this.dispatcher.queue('dead-letters');
    for (const jobId of jobIds) if (isLetter(jobId) && !rightful.has(jobId)) await queue.remove(jobId);
    return rightful.size;
  }

  /**
   * Has the sweeper of the inbox file the letters of dead events that were lost, with the memory of the queue or to
   * make room for newer ones: nothing else gives these events another chance.
   */
  private async refileEvents(known: ReadonlySet<string>): Promise<void> {
    const newest = await findNewestDeadEvents(KEPT_DEAD_EVENTS, this.database);
    const missing = newest.filter((key) => !known.has(deadEventJobId(key)));
    await markUnfiled(
      missing.map(({ eventId }) => eventId),
      this.database,
    );
  }
}

function isLetter(jobId: string): boolean {
  return deliveryOfJob(jobId) !== undefined || eventOfJob(jobId) !== undefined;
}

function namedBy(jobIds: readonly string[], nameOf: (jobId: string) => string | undefined): string[] {
  return [...new Set(jobIds.flatMap((jobId) => nameOf(jobId) ?? []))];
}
