import { Processor } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import type { JobData } from '../../platform/queues/job';
import { RETRY_JOBS_AT_ONCE } from '../lanes/delivery-work';
import { LaneProcessor } from '../lanes/lane-processor';
import { isStepOf, jittered } from './retry-policy';

/**
 * Later tries, one job per failed delivery: BullMQ's attempts and its exponential backoff with jitter. What that cannot
 * know (`Retry-After`, the cap, a destination that is down or gets no more for now) moves the job, and from then on, as
 * it does not count such tries, each wait does. A job that was put off may find that the backlog has made its try: then
 * it is over, and the delivery has another job.
 */
@Processor('delivery-retries', { concurrency: RETRY_JOBS_AT_ONCE })
export class RetryProcessor extends LaneProcessor {
  override async process(job: Job<JobData<'delivery-retries'>>, token?: string): Promise<void> {
    const retried = await this.work.retry(job.data);
    if (retried.kind === 'over') return;
    if (retried.kind === 'later') return moveJob(job, retried.waitMs, token);
    const { state, attempt, retry, waitMs, errorClass } = retried.outcome;
    if (state !== 'pending') return;
    await job.updateData({ ...job.data, tries: attempt });
    if (retry?.isMoved === true) return moveJob(job, waitMs, token);
    if (retry !== undefined && !isStepOf(job.opts.backoff, job.attemptsMade, retry)) {
      return moveJob(job, jittered(waitMs, Math.random()), token);
    }
    throw new Error(errorClass);
  }
}

/** @throws DelayedError always: so BullMQ leaves the job where it was moved to */
async function moveJob(job: Job, waitMs: number, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + waitMs, token);
  throw new DelayedError();
}
