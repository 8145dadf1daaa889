import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Deliveries } from '../delivery/deliveries';
import { JobCounts } from '../platform/queues/hand-out';
import type { JobData } from '../platform/queues/job';
import { ProfilesService } from '../profiles/profiles.service';
import { Membership } from '../segments/membership/membership';
import { InboxBatches } from './inbox-batches';
import { JOBS_AT_ONCE } from './inbox-reader';

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
    await this.jobs.count(() => this.processRows(job.data.inboxIds));
  }

  /** Processes the events of inbox rows, and of others that wait; for a job, or in want of one. */
  async processRows(inboxIds: readonly string[]): Promise<void> {
    const results = await this.batches.process(inboxIds, async (events, tx) => {
      const touched = await this.profiles.apply(events, tx);
      const moved = await this.membership.reevaluate(touched, tx);
      return this.deliveries.route(events, moved, tx);
    });
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
