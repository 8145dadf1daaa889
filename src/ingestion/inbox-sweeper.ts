import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { markFiled, unfiledEvents } from '../events/dead-events';
import { Database, type PreparedStatement } from '../platform/database/database';
import { JobDispatcher } from '../platform/queues/job-dispatcher';

const SWEEP_INTERVAL_MS = 2_000;
/** A row this old should have been processed: its job was lost, or is waiting behind a backlog. */
const FORGOTTEN_AFTER_SECONDS = 5;
/** Rows in one sweep. Each of their jobs takes further rows with it, see `InboxReader`. */
const MAX_ROWS = 500;

/** The oldest inbox rows that are older than $1 seconds by PostgreSQL's clock, at most $2. */
const forgottenRowsStatement: PreparedStatement = {
  name: 'forgotten_inbox_rows',
  text: `
    select id, cardinality(event_ids) as events from inbox
    where created_at < clock_timestamp() - make_interval(secs => $1)
    order by id limit $2`,
};

/**
 * Gives a job to inbox rows that may have none: the queue was away when they came, or has lost its memory. A job
 * that is still there keeps its place, so any number of processes may sweep.
 */
@Injectable()
export class InboxSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(InboxSweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly dispatcher: JobDispatcher,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.sweeping;
  }

  /** One sweep; answers how many rows were found. */
  async sweep(olderThanSeconds = FORGOTTEN_AFTER_SECONDS): Promise<number> {
    const rows = await this.database.query<{ id: string; events: number }>(forgottenRowsStatement, [
      olderThanSeconds,
      MAX_ROWS,
    ]);
    const jobs = rows.map(({ id, events }) => ({ id, name: `${events} events`, data: { inboxIds: [id] } }));
    await this.dispatcher.dispatch('events', jobs);
    return rows.length;
  }

  /** Shows dead events in the dead-letter queue; answers how many. */
  async fileDeadEvents(): Promise<number> {
    const dead = await unfiledEvents(MAX_ROWS, this.database);
    const jobs = dead.map(({ eventId, reason }) => ({
      id: `event-${eventId}`,
      name: `event ${eventId}: ${withoutQuotes(reason)}`,
      data: { eventId },
      options: { removeOnFail: false },
    }));
    if (jobs.length === 0 || !(await this.dispatcher.dispatch('dead-letters', jobs))) return 0;
    await markFiled(
      dead.map(({ eventId }) => eventId),
      this.database,
    );
    return jobs.length;
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweepInBackground();
    }, SWEEP_INTERVAL_MS).unref();
  }

  private async sweepInBackground(): Promise<void> {
    try {
      await this.sweep();
      await this.fileDeadEvents();
    } catch (error) {
      // May stop here: PostgreSQL is away, and the next sweep comes soon.
      this.logger.warn(`The inbox could not be swept: ${String(error)}`);
    }
    if (this.timer !== undefined) this.schedule();
  }
}

/** Errors quote what they stumbled over. The queue is no place for what people sent: no deletion would find it there. */
function withoutQuotes(reason: string): string {
  return reason.replaceAll(/"[^"]*"?/g, '"…"');
}
