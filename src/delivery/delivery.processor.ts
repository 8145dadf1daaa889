import { Processor } from '@nestjs/bullmq';
import type { OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { JobCounts } from '../platform/queues/job-offers';
import type { JobData } from '../platform/queues/job';
import { FirstTries } from './first-tries';
import { DeliveryWork, DELIVERY_JOBS_AT_ONCE } from './lanes/delivery-work';
import { LaneProcessor } from './lanes/lane-processor';
import { HeadHints } from './order/head-hints';
import { WorkerPresence } from './presence/worker-presence';

/**
 * First tries, in chunks; without ids the backlog of a destination. What this process has written itself needs no job,
 * as long as its lane takes it.
 */
@Processor('deliveries', { concurrency: DELIVERY_JOBS_AT_ONCE })
export class DeliveryProcessor extends LaneProcessor implements OnModuleInit {
  readonly jobs = new JobCounts();

  constructor(
    work: DeliveryWork,
    presence: WorkerPresence,
    private readonly firstTries: FirstTries,
    private readonly heads: HeadHints,
  ) {
    super(work, presence);
  }

  onModuleInit(): void {
    this.firstTries.makeHere(({ destinationId, deliveryIds }) =>
      this.work.tryDeliver(destinationId, deliveryIds),
    );
    this.heads.lookHere((destinationId, people) => this.work.lookAt(destinationId, people));
  }

  override async process({ data }: Job<JobData<'deliveries'>>): Promise<void> {
    await this.jobs.count(async () => {
      if (!data.done) await this.deliver(data);
    });
  }

  private async deliver({ destinationId, deliveryIds }: JobData<'deliveries'>): Promise<void> {
    if (deliveryIds.length === 0) this.work.drain(destinationId);
    else await this.work.deliver(destinationId, deliveryIds);
  }
}
