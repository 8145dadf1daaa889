import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { JobData } from '../../platform/queues/job';
import { BATCHES_AT_ONCE, BatchRunner } from './batch-runner';

/** A try of a batch per job, and of those that are due after it; PostgreSQL knows when the next one is due. */
@Processor('batches', { concurrency: BATCHES_AT_ONCE })
export class BatchProcessor extends WorkerHost implements OnModuleDestroy {
  constructor(private readonly runner: BatchRunner) {
    super();
  }

  override async process({ data }: Job<JobData<'batches'>>): Promise<void> {
    await this.runner.jobs.count(async () => {
      // Not done: a job that is, and is kept, would be in the way of the one that is given to this try later on.
      if (!(await this.runner.run(data))) throw new Error('not begun');
    });
  }

  /** Takes no more jobs. Those in hand end with their batches. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.worker.close(), this.runner.stop()]);
  }
}
