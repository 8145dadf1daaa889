import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { Shortcut } from '../../platform/queues/shortcut';
import { type RowProcessing, RowsAtHand, type StoredRow } from './rows-at-hand';

/** Rows waiting for their jobs. While the queue is away more would only fill memory: the sweeper finds the rows. */
const MAX_WAITING = 1_000;

/** Between two calls of the queue, which cost it as much with one job as with ten. The first job does not wait. */
const PAUSE_MS = 10;

/** A job takes rows until it has so many events. Small ones would each cost a transaction for a handful. */
const JOB_EVENTS = 250;

/**
 * Hands stored events on to processing: to that of this process, as long as it keeps up, else to the queue, to which
 * the rows of the last few milliseconds travel together.
 */
@Injectable()
export class HandOver {
  private readonly shortcut: Shortcut<'events', StoredRow>;
  private here: RowsAtHand | undefined;
  private waiting: StoredRow[] = [];
  private dispatching = false;

  constructor(private readonly dispatcher: JobDispatcher) {
    this.shortcut = new Shortcut(dispatcher, 'events', jobsFor);
  }

  /** Rows are processed by this process from now on, unless people have stopped the queue. */
  processHere({ atOnce, process }: Pick<RowProcessing, 'atOnce' | 'process'>): void {
    const processing = {
      atOnce,
      isStopped: () => this.shortcut.isClosed(),
      process: async (rows: readonly StoredRow[]) => {
        await process(rows);
        for (const row of rows) this.shortcut.show(row);
      },
    };
    this.here = new RowsAtHand(processing, (rows) => this.enqueue(rows));
  }

  /** Rows are left to others; resolves when those that are being processed here are done. */
  async stopHere(): Promise<void> {
    await this.here?.close();
  }

  /** Returns at once. No request waits for a job: without it the sweeper finds the row. */
  handOverRow(row: StoredRow): void {
    if (this.here?.takeRow(row) !== true) this.enqueue([row]);
  }

  private enqueue(rows: readonly StoredRow[]): void {
    this.waiting.push(...rows.slice(0, MAX_WAITING - this.waiting.length));
    if (!this.dispatching) void this.dispatchAll();
  }

  private async dispatchAll(): Promise<void> {
    this.dispatching = true;
    while (this.waiting.length > 0) {
      const rows = this.waiting;
      this.waiting = [];
      await this.dispatcher.dispatch('events', jobsFor(rows));
      await delay(PAUSE_MS);
    }
    this.dispatching = false;
  }
}

/** Jobs with a row of many events or several rows of few. The id is that of the first row, which is in one job only. */
export function jobsFor(rows: readonly StoredRow[]): NewJob<'events'>[] {
  const jobs: NewJob<'events'>[] = [];
  let inboxIds: string[] = [];
  let total = 0;
  for (const [index, { inboxId, events }] of rows.entries()) {
    inboxIds.push(inboxId);
    total += events;
    if (total < JOB_EVENTS && index < rows.length - 1) continue;
    jobs.push({ id: inboxIds[0] ?? inboxId, name: `${total} events`, data: { inboxIds } });
    inboxIds = [];
    total = 0;
  }
  return jobs;
}
