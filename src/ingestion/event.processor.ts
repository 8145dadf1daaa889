import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Deliveries } from '../delivery/deliveries';
import type { DeliveryChunk } from '../delivery/delivery-jobs';
import { JobCounts } from '../platform/queues/hand-out';
import type { JobData } from '../platform/queues/job';
import { ProfilesService } from '../profiles/profiles.service';
import { Membership } from '../segments/membership/membership';
import { type BatchWork, InboxBatches } from './inbox/inbox-batches';
import { JOBS_AT_ONCE } from './inbox/inbox-reader';

/**
 * What happens to events between their acceptance and their deliveries, in one transaction.
 * A failed job goes at once, so that the sweeper can make it again under its id.
 */
@Processor('events', { concurrency: JOBS_AT_ONCE, removeOnFail: { count: 0 } })
export class EventProcessor extends WorkerHost implements OnModuleDestroy {
  private readonly logger = new Logger(EventProcessor.name);
  readonly jobs = new JobCounts();

  constructor(
    private readonly batches: InboxBatches,
    private readonly profiles: ProfilesService,
    private readonly membership: Membership,
    private readonly deliveries: Deliveries,
  ) {
    super();
  }

  override async process(job: Job<JobData<'events'>>): Promise<void> {
    await this.jobs.count(() => this.processRows(job.data.inboxIds, this.jobs.running > 1));
  }

  /**
   * Processes the events of inbox rows, for a job or in want of one.
   * @param andFurther also of others that wait. A job that runs alone has none to look for: theirs are about to come.
   */
  async processRows(inboxIds: readonly string[], andFurther = true): Promise<void> {
    const work: BatchWork<DeliveryChunk[]> = async (events, tx) => {
      const touched = await this.profiles.apply(events, tx);
      return this.deliveries.route(events, this.membership.reevaluate(touched, tx), tx);
    };
    const results = await this.batches.process(inboxIds, work, andFurther);
    await this.deliveries.enqueue(results.flat());
  }

  /** Before the queues close: the last jobs still have deliveries to enqueue, which would wait for the sweeper otherwise. */
  async onModuleDestroy(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('failed')
  reportFailure(job: Job<JobData<'events'>> | undefined, error: Error): void {
    this.logger.warn({
      msg: 'Events wait for another try',
      inboxIds: job?.data.inboxIds,
      reason: String(error),
    });
  }
}
