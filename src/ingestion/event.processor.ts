import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Deliveries } from '../delivery/deliveries';
import { Database } from '../platform/database/database';
import type { JobData } from '../platform/queues/job';
import { ProfilesService } from '../profiles/profiles.service';
import { Membership } from '../segments/membership';
import { InboxReader } from './inbox-reader';

/**
 * What happens to events between their acceptance and their deliveries, in one transaction.
 * A failed job goes, so that the sweeper can make it again under its id.
 */
@Processor('events', { concurrency: 2, removeOnFail: { count: 0 } })
export class EventProcessor extends WorkerHost {
  private readonly logger = new Logger(EventProcessor.name);

  constructor(
    private readonly database: Database,
    private readonly inbox: InboxReader,
    private readonly profiles: ProfilesService,
    private readonly membership: Membership,
    private readonly deliveries: Deliveries,
  ) {
    super();
  }

  override async process(job: Job<JobData<'events'>>): Promise<void> {
    const chunks = await this.database.transaction(async (tx) => {
      const events = await this.inbox.take(job.data.inboxId, tx);
      const touched = await this.profiles.apply(events, tx);
      const moved = await this.membership.reevaluate(touched, tx);
      return this.deliveries.route(events, moved, tx);
    });
    await this.deliveries.enqueue(chunks);
  }

  @OnWorkerEvent('failed')
  reportFailure(job: Job<JobData<'events'>> | undefined, error: Error): void {
    this.logger.warn({
      msg: 'Events wait for another try',
      inboxId: job?.data.inboxId,
      reason: String(error),
    });
  }
}
