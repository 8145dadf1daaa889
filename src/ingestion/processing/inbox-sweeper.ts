import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { aDeadEventJob } from '../../delivery/dead-letters/dead-event-job';
import { anyUnfiledSql, markFiled, unfiledEvents } from '../../events/inbox/dead-events';
import { jobsFor } from '../../events/inbox/hand-over';
import { findForgottenRows, type ForgottenRow, hasOldRowsSql } from '../../events/inbox/inbox-lag';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { JobOffers } from '../../platform/queues/job-offers';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import { EventProcessor } from '../event.processor';
import { JOBS_AT_ONCE } from './inbox-reader';

const SWEEP_INTERVAL_WITHOUT_QUEUE_MS = 250;
/** Sweeps without a queue that found nothing, ten seconds of them: either nothing comes, or the queue is back. */
const MAX_EMPTY_SWEEPS = 40;
/** A row this old should have been processed: its job was lost, or is waiting behind a backlog. */
const FORGOTTEN_AFTER_SECONDS = 5;
/** While there is no queue nothing is to be waited for but the processing of what has just come. */
const WITHOUT_QUEUE_SECONDS = 1;
/**
 * A row that old gets another job, and one more each time it has waited that long again. The job it has may be in the
 * hands of a worker that was killed: the queue gives it to another worker only after a minute, and until then its id is
 * taken. Two jobs of a row do no harm, for the second one finds nothing.
 */
const ANOTHER_JOB_AFTER_SECONDS = 10;
/** Rows in one sweep. Each of their jobs takes further rows with it, see `InboxReader`. */
const MAX_ROWS = 500;

/**
 * Gives a job to inbox rows that may have none: the queue was away when they came, has lost its memory, or waits for
 * a worker that is gone. Any number of processes may sweep: they make the same jobs, and one that is there already
 * keeps its place.
 *
 * Where the queue takes no jobs, or takes them and hands out none until the next sweep, the rows are processed right
 * here: events never wait for the queue for more than a few seconds. A row is locked by its worker and passed
 * over by others, so the queue may come back at any moment.
 */
@Injectable()
export class InboxSweeper implements OnModuleDestroy {
  private readonly logger = new Logger(InboxSweeper.name);
  private readonly warning = new ThrottledWarning(this.logger);
  private withoutQueue = false;
  private readonly offers: JobOffers<'events'>;
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly dispatcher: JobDispatcher,
    private readonly processor: EventProcessor,
    private readonly config: Config,
    lookout: Lookout,
  ) {
    this.offers = new JobOffers(dispatcher, 'events', processor.jobs);
    this.watch = lookout.watch<boolean>({
      sql: `select (${hasOldRowsSql(FORGOTTEN_AFTER_SECONDS)}) or (${anyUnfiledSql})`,
      act: (isAny) => this.sweepAll(isAny),
      report: (error) => this.logger.warn(`The inbox could not be swept: ${String(error)}`),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
  }

  /** One sweep; returns how many rows were found. */
  async sweep(olderThanSeconds?: number): Promise<number> {
    const rows = await findForgottenRows(
      {
        olderThanSeconds:
          olderThanSeconds ?? (this.withoutQueue ? WITHOUT_QUEUE_SECONDS : FORGOTTEN_AFTER_SECONDS),
        ageUnitSeconds: ANOTHER_JOB_AFTER_SECONDS,
        limit: MAX_ROWS,
      },
      this.database,
    );
    if (rows.length === 0) {
      this.offers.rest();
      return 0;
    }
    this.withoutQueue = !(await this.offers.offer(rows.map(jobFor)));
    if (this.withoutQueue) await this.processAll(rows);
    return rows.length;
  }

  /** Shows dead events in the dead-letter queue; returns how many. */
  async fileDeadEvents(): Promise<number> {
    const dead = await unfiledEvents(MAX_ROWS, this.database);
    if (dead.length === 0) return 0;
    const { publicUrl } = this.config.management;
    const jobs = dead.map((event) => aDeadEventJob(event, publicUrl));
    if (!(await this.dispatcher.dispatch('dead-letters', jobs))) return 0;
    await markFiled(
      dead.map(({ eventId }) => eventId),
      this.database,
    );
    return dead.length;
  }

  /** Several batches at a time, as many as there would be jobs. @throws when PostgreSQL is away. */
  private async processAll(rows: readonly ForgottenRow[]): Promise<void> {
    this.warning.warn('The queue hands out no events: they are processed without it');
    const batches = jobsFor(rows.map(({ id, events }) => ({ inboxId: id, events }))).values();
    const work = async (): Promise<void> => {
      for (const { data } of batches) {
        if (this.watch.stopping) return;
        await this.processor.processRows(data.inboxIds);
      }
    };
    await Promise.all(Array.from({ length: JOBS_AT_ONCE }, work));
  }

  /** @param isAny whether there is anything to sweep */
  private async sweepAll(isAny: boolean): Promise<void> {
    if (!isAny) this.offers.rest();
    else await this.sweepOnce();
    await this.sweepWithoutQueue();
  }

  private async sweepWithoutQueue(): Promise<void> {
    for (let empty = 0; this.withoutQueue && !this.watch.stopping;) {
      await delay(SWEEP_INTERVAL_WITHOUT_QUEUE_MS);
      empty = (await this.sweepOnce()) === 0 ? empty + 1 : 0;
      // A queue that is back leaves no row old enough for a sweep to offer, and so to see that.
      if (empty === MAX_EMPTY_SWEEPS) this.withoutQueue = false;
    }
  }

  /** Returns how many rows were found. */
  private async sweepOnce(): Promise<number> {
    const found = await this.sweep();
    await this.fileDeadEvents();
    return found;
  }
}

/** The first one has the id that the row's job has had from the beginning. */
function jobFor({ id, events, age }: ForgottenRow): NewJob<'events'> {
  return { id: age === 0 ? id : `${id}-${age}`, name: `${events} events`, data: { inboxIds: [id] } };
}
