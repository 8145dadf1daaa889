import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { JobOffers } from '../../platform/queues/job-offers';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { backlogJob } from '../backlog-jobs';
import { DeliveryProcessor } from '../delivery.processor';
import { BacklogLooks, ROUND_MS } from './backlog-looks';
import { DestinationProbes } from './destination-probes';
import { DeliveryWork } from '../lanes/delivery-work';
import type { Backlog } from '../ledger/waiting/find-backlogs';

/**
 * One job per destination and period: as long as there is a backlog each period brings another job, which a worker
 * that is at it already ends at once and a further worker takes as an invitation.
 */
const PERIOD_MS = 5_000;

/**
 * Gives jobs to deliveries that are due and have none: their job was lost with the queue, died with its worker, or was
 * never made because the destination was down. Where the queue brings none to anybody, the deliveries are made right
 * here. Any number of sweepers may run; PostgreSQL's clock decides.
 */
@Injectable()
export class DeliverySweeper extends BackgroundWork {
  private readonly offers: JobOffers<'deliveries'>;
  protected readonly loop = this.every(
    // Never in step with other workers, nor with a receiver that comes and goes.
    () => ROUND_MS * (0.75 + 0.5 * Math.random()),
    () => this.sweep(),
    'The sweep did not succeed',
  );

  constructor(
    private readonly probes: DestinationProbes,
    private readonly looks: BacklogLooks,
    private readonly work: DeliveryWork,
    private readonly processor: DeliveryProcessor,
    dispatcher: JobDispatcher,
  ) {
    super();
    this.offers = new JobOffers(dispatcher, 'deliveries', processor.jobs);
  }

  /** One round. @throws when PostgreSQL is away. */
  async sweep(): Promise<void> {
    await this.probes.startDue();
    const found = await this.looks.findDue();
    if (found === undefined) return;
    const backlogs = found.filter(({ id }) => this.work.isForLanes(id));
    if (backlogs.length === 0) {
      this.offers.rest();
      return;
    }
    if (await this.offers.offer(backlogs.map(jobOfPeriod))) return;
    this.processor.noteLostJobs();
    for (const { id } of backlogs) this.work.drain(id);
  }
}

function jobOfPeriod(backlog: Backlog): NewJob<'deliveries'> {
  return backlogJob(backlog, String(Math.floor(backlog.now_ms / PERIOD_MS)));
}
