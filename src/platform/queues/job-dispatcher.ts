import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { JobsOptions, Queue } from 'bullmq';
import type { JobData, QueueName } from './job';
import { ThrottledWarning } from '../logging/throttled-warning';

/** A job to be added. `id` is derived from the row it is for, so that adding it twice is harmless. */
export interface NewJob<Name extends QueueName> {
  readonly id: string;
  /** The name of the job in Bull Board. */
  readonly name: string;
  readonly data: JobData<Name>;
  readonly options?: JobsOptions;
}

/** Jobs that are done and stay in each queue, for people to see. Some kilobytes each. */
const KEPT_JOBS = 1_000;

/** Adds jobs. The queue may be away: then the rows in PostgreSQL wait for the sweeper. */
@Injectable()
export class JobDispatcher {
  private readonly outage = new ThrottledWarning(new Logger(JobDispatcher.name));

  constructor(private readonly moduleRef: ModuleRef) {}

  /** Adds the jobs. Returns false, and logs, when the queue could not take all of them. Never rejects. */
  async dispatch<Name extends QueueName>(queue: Name, jobs: readonly NewJob<Name>[]): Promise<boolean> {
    if (jobs.length === 0) return true;
    const target = this.queue(queue);
    // At shutdown the queues close while the last jobs end; a closed queue would let them wait for ever.
    if (target.closing !== undefined) return false;
    try {
      await target.addBulk(
        jobs.map(({ id, name, data, options }) => ({
          name,
          data,
          opts: { removeOnComplete: { count: KEPT_JOBS }, ...options, jobId: id },
        })),
      );
      this.outage.over('Queues take jobs again');
      return true;
    } catch (error) {
      // May stop here: jobs are only hints, the sweeper makes them again from the rows.
      this.outage.warn(`Queue ${queue} takes no jobs, the sweeper will add them later: ${String(error)}`);
      return false;
    }
  }

  /** How many jobs wait to be handed out; none while the queue is away. */
  async countWaiting(queue: QueueName): Promise<number> {
    try {
      return await this.queue(queue).getWaitingCount();
    } catch {
      return 0;
    }
  }

  /** Whether people have stopped the queue; false while it is away. */
  async isPaused(queue: QueueName): Promise<boolean> {
    try {
      return await this.queue(queue).isPaused();
    } catch {
      return false;
    }
  }

  queue(name: QueueName): Queue {
    return this.moduleRef.get<Queue>(getQueueToken(name), { strict: false });
  }
}
