import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { JobData } from '../platform/queues/job';
import { Lanes } from './lanes/lanes';
import { WorkerPresence } from './presence/worker-presence';

/** A try failed and the next one is wanted after `waitMs`: the time that the ledger has, too. */
class TryAgainError extends Error {
  constructor(
    message: string,
    readonly waitMs: number,
  ) {
    super(message);
  }
}

/** Jobs that wait for lanes hold nothing but memory. */
const RETRY_JOBS = 200;
const DEFAULT_WAIT_MS = 5_000;

/** Later tries, one job per failed delivery: BullMQ's attempts and backoff, with the wait that the ledger decided on. */
@Processor('delivery-retries', {
  concurrency: RETRY_JOBS,
  settings: {
    backoffStrategy: (_attemptsMade, _type, error) =>
      error instanceof TryAgainError ? error.waitMs : DEFAULT_WAIT_MS,
  },
})
export class RetryProcessor extends WorkerHost implements OnModuleDestroy {
  constructor(
    private readonly lanes: Lanes,
    private readonly presence: WorkerPresence,
  ) {
    super();
  }

  override async process({ data }: Job<JobData<'delivery-retries'>>): Promise<void> {
    const outcome = await this.lanes.retry(data.destinationId, data.deliveryId);
    // Not tried (done, in other hands, destination down): the ledger knows, the sweeper takes care.
    if (outcome?.state !== 'pending') return;
    throw new TryAgainError(outcome.errorClass ?? 'failed', outcome.waitMs);
  }

  /** The queue was away: what it had may be lost. */
  @OnWorkerEvent('ioredis:close')
  @OnWorkerEvent('error')
  noteLostJobs(): void {
    if (this.worker.closing === undefined) this.presence.noteLostJobs();
  }

  /** Takes no more jobs. Those in hand end with their lanes, which are closing at the same time. */
  async onModuleDestroy(): Promise<void> {
    await this.worker.close();
  }
}
