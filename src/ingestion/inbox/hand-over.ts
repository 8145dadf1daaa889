import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';

interface StoredRow {
  readonly inboxId: string;
  readonly events: number;
}

/** Rows waiting for their jobs. While the queue is away more would only fill memory: the sweeper finds the rows. */
const MAX_WAITING = 1_000;

/** Between two calls of the queue, which cost it as much with one job as with ten. The first job does not wait. */
const PAUSE_MS = 10;

/** A job takes rows until it has so many events. Small ones would each cost a transaction for a handful. */
const JOB_EVENTS = 250;

/** Hands stored events on to processing: the rows of the last few milliseconds travel together. */
@Injectable()
export class HandOver {
  private waiting: StoredRow[] = [];
  private dispatching = false;

  constructor(private readonly dispatcher: JobDispatcher) {}

  /** Returns at once. No request waits for a job: without it the sweeper finds the row. */
  enqueueRow(inboxId: string, events: number): void {
    if (this.waiting.length >= MAX_WAITING) return;
    this.waiting.push({ inboxId, events });
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
