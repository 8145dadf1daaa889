import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { JobDispatcher, type NewJob } from '../platform/queues/job-dispatcher';

/** Jobs waiting to be added. While the queue is away more would only fill memory: the sweeper finds the rows. */
const MAX_WAITING = 1_000;

/** Between two calls of the queue, which cost it as much with one job as with ten. The first job waits for nobody. */
const PAUSE_MS = 25;

/** Hands stored events on to processing: a job for each inbox row, many jobs with one call while the queue is busy. */
@Injectable()
export class HandOver {
  private waiting: NewJob<'events'>[] = [];
  private dispatching = false;

  constructor(private readonly dispatcher: JobDispatcher) {}

  /** Returns at once; nobody waits for a job, for without it the sweeper finds the row. */
  add(inboxId: string, events: number): void {
    if (this.waiting.length >= MAX_WAITING) return;
    this.waiting.push({ id: inboxId, name: `${events} events`, data: { inboxId } });
    if (!this.dispatching) void this.dispatchAll();
  }

  private async dispatchAll(): Promise<void> {
    this.dispatching = true;
    while (this.waiting.length > 0) {
      const jobs = this.waiting;
      this.waiting = [];
      await this.dispatcher.dispatch('events', jobs);
      await delay(PAUSE_MS);
    }
    this.dispatching = false;
  }
}
