import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Deliveries } from '../delivery/deliveries';
import type { NewDeliveries } from '../delivery/delivery-writer';
import type { PeopleOfEvents } from '../delivery/order/positions';
import { HandOver } from '../events/inbox/hand-over';
import { JobCounts } from '../platform/queues/job-offers';
import type { JobData } from '../platform/queues/job';
import { ConcurrencyLimit } from '../platform/background/concurrency-limit';
import { ProfilesService, type Touched } from '../profiles/profiles.service';
import type { ActiveSegmentsNow } from '../segments/definitions/active-segments';
import { Membership } from '../segments/membership/membership';
import { type EventsWork, InboxTransactions } from './processing/inbox-transactions';
import { JOBS_AT_ONCE } from './processing/inbox-reader';

/**
 * What happens to events between their acceptance and their deliveries, in one transaction.
 * A failed job goes at once, so that the sweeper can make it again under its id. What this process has stored itself
 * needs no job, as long as it keeps up.
 */
@Processor('events', { concurrency: JOBS_AT_ONCE, removeOnFail: { count: 0 } })
export class EventProcessor extends WorkerHost implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(EventProcessor.name);
  readonly jobs = new JobCounts();
  /** Whether they come with a job or without. */
  private readonly limit = new ConcurrencyLimit(JOBS_AT_ONCE);

  constructor(
    private readonly transactions: InboxTransactions,
    private readonly profiles: ProfilesService,
    private readonly membership: Membership,
    private readonly deliveries: Deliveries,
    private readonly handOver: HandOver,
  ) {
    super();
  }

  onModuleInit(): void {
    this.handOver.processHere({
      atOnce: JOBS_AT_ONCE,
      // Without further ones: theirs are about to come.
      process: (rows) =>
        this.processRows(
          rows.map(({ inboxId }) => inboxId),
          false,
        ),
    });
  }

  override async process({ data }: Job<JobData<'events'>>): Promise<void> {
    await this.jobs.count(async () => {
      if (!data.done) await this.processRows(data.inboxIds, this.jobs.running > 1);
    });
  }

  /**
   * Processes the events of inbox rows, for a job or in want of one.
   * @param andFurther also of others that wait. A job that runs alone has none to look for: theirs are about to come.
   */
  async processRows(inboxIds: readonly string[], andFurther = true): Promise<void> {
    const work: EventsWork<NewDeliveries> = async (events, tx, confirmed) => {
      let definitions: ActiveSegmentsNow | undefined;
      const underLocks = async (): Promise<void> => {
        [definitions] = await Promise.all([this.membership.shareLock(tx), this.deliveries.refresh(tx)]);
      };
      const touched = await this.profiles.apply(events, tx, { confirmed, underLocks });
      const moved = await this.membership.reevaluate(touched, tx, definitions);
      return this.deliveries.route(events, moved, tx, peopleOf(touched));
    };
    const results = await this.limit.run(() => this.transactions.process(inboxIds, work, andFurther));
    await this.deliveries.enqueue(...results);
  }

  /**
   * Before the queues close: the last jobs still have deliveries to enqueue, which would wait for the sweeper
   * otherwise.
   */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.worker.close(), this.handOver.stopHere()]);
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

function peopleOf({ profiles, rootOf }: Touched): PeopleOfEvents {
  const merged = profiles.flatMap(({ facts, mergedSubjects }) =>
    mergedSubjects.map((from) => ({ from, into: facts.subject })),
  );
  return { rootOf, merged };
}
