import { setTimeout as delay } from 'node:timers/promises';
import type { JobData } from './job';
import type { JobDispatcher, NewJob } from './job-dispatcher';

/** How old the answer may be to whether people have stopped the queue. */
const ANSWER_MS = 1_000;
/** A queue that has not said so by then holds nothing up. */
const MAX_ASKING_MS = 250;
/** What was done in this time is shown together: a job costs as much as the work of many events. */
const GATHER_MS = 1_000;

/**
 * The way past a queue, for work that the process has at hand because it has just written it: a job would cost more
 * than the work, and bring it later. Who stops the queue stops this way, too, within a second; and what went this way
 * is shown in the queue afterwards, as jobs that are done.
 */
export class Shortcut<Name extends 'events' | 'deliveries', Work> {
  private closed: Promise<boolean> | undefined;
  private answerEndsAt = 0;
  private done: Work[] = [];

  /** @param jobsFor the jobs that the work would have been */
  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly queue: Name,
    private readonly jobsFor: (done: readonly Work[]) => NewJob<Name>[],
  ) {}

  /** Whether people have stopped the queue. */
  isClosed(): Promise<boolean> {
    const now = performance.now();
    if (this.closed === undefined || now >= this.answerEndsAt) {
      this.answerEndsAt = now + ANSWER_MS;
      const nothingHeard = delay(MAX_ASKING_MS, false, { ref: false });
      this.closed = Promise.race([this.dispatcher.isPaused(this.queue), nothingHeard]);
    }
    return this.closed;
  }

  /** Shows work that is done. Nobody misses it where the queue is away. */
  show(work: Work): void {
    this.done.push(work);
    if (this.done.length === 1) setTimeout(() => void this.showAll(), GATHER_MS).unref();
  }

  private async showAll(): Promise<void> {
    const done = this.done;
    this.done = [];
    const jobs = this.jobsFor(done).map(({ id, name, data, options }) => ({
      id,
      name,
      data: { done: true, ...data } as JobData<Name>,
      ...(options && { options }),
    }));
    await this.dispatcher.dispatch(this.queue, jobs);
  }
}
