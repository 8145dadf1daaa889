import { setTimeout as delay } from 'node:timers/promises';
import type { QueueName } from './job';
import type { JobDispatcher, NewJob } from './job-dispatcher';

/** A queue that has not taken the jobs after this time is away. */
const MAX_DISPATCH_MS = 3_000;
/** More than workers take in a few seconds: more jobs that only tell of what is due would only fill the queue. */
export const MAX_WAITING_JOBS = 1_000;

/** What a worker of this process has been handed. */
export class JobCounts {
  /** Jobs at work. */
  running = 0;
  /** Jobs there have been. */
  begun = 0;

  /** @param atOnce how many it is handed before it wants no more */
  constructor(private readonly atOnce = 1) {}

  /** Whether it would take another one. */
  get wantsMore(): boolean {
    return this.running < this.atOnce;
  }

  async count(work: () => Promise<void>): Promise<void> {
    this.begun += 1;
    this.running += 1;
    try {
      await work();
    } finally {
      this.running -= 1;
    }
  }
}

/**
 * Offers a queue the jobs of those who can do the work without it, and says whether it still brings jobs to workers. A
 * sweeper offers jobs round after round. A queue does not work when it takes none within 3 s, or when jobs wait in it and the worker of this
 * process, though it would take another one, was handed none since the last round. Then the sweeper does the work
 * itself.
 */
export class JobOffers<Name extends QueueName> {
  /** How many jobs had begun in the last round; undefined when there was nothing to do. */
  private begunBefore: number | undefined;

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly queue: Name,
    private readonly counts: JobCounts,
  ) {}

  /** Gives jobs to the queue; returns whether they are on their way through it. Never rejects. */
  offer(jobs: readonly NewJob<Name>[]): Promise<boolean> {
    return Promise.race([this.bringsOn(jobs), delay(MAX_DISPATCH_MS, false, { ref: false })]);
  }

  /** There is nothing to do: that no job begins from now on says nothing of the queue. */
  rest(): void {
    this.begunBefore = undefined;
  }

  private async bringsOn(jobs: readonly NewJob<Name>[]): Promise<boolean> {
    const waiting = await this.dispatcher.countWaiting(this.queue);
    const { wantsMore, begun } = this.counts;
    const handedNone = waiting > 0 && wantsMore && begun === this.begunBefore;
    this.begunBefore = begun;
    // More jobs would only fill the queue.
    if (waiting <= MAX_WAITING_JOBS && !(await this.dispatcher.dispatch(this.queue, jobs))) return false;
    // What people have stopped stays so.
    return !handedNone || this.dispatcher.isPaused(this.queue);
  }
}
