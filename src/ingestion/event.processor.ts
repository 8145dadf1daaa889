import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { Deliveries } from '../delivery/deliveries';
import { Database } from '../platform/database/database';
import type { JobData } from '../platform/queues/job';
import { ProfilesService } from '../profiles/profiles.service';
import { Membership } from '../segments/membership';
import { InboxReader } from './inbox-reader';

/** What happens to events between their acceptance and their deliveries, in one transaction. */
@Processor('events')
export class EventProcessor extends WorkerHost {
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
}
