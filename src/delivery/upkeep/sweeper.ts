import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { BackgroundWork } from '../../platform/background/background-work';
import { JobOffers } from '../../platform/queues/job-offers';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { backlogJob } from '../backlog-jobs';
import { DeliveryProcessor } from '../delivery.processor';
import { DestinationProbes } from './destination-probes';
import { DeliveryWork } from '../lanes/delivery-work';
import type { Backlog } from '../ledger/waiting/find-backlogs';
import { Ledger } from '../ledger/ledger';

const INTERVAL_MS = 1_000;
/**
 * From a look that has found nothing to the next one, while all workers are there and when one may be gone. A change of
 * destinations, which may be a resume, is looked into at once.
 */
const IDLE_MS = 5_000;
const ALARMED_MS = 2_000;
/**
 * One job per destination and period: as long as there is a backlog each period brings another job, which a worker
 * that is at it already ends at once and a further worker takes as an invitation.
 */
const PERIOD_MS = 5_000;

/** The look at the ledger may take a fiftieth of the time, however many destinations there are. */
const PAUSE_PER_LOOK = 50;
const MAX_PAUSE_MS = 5_000;

/**
 * Gives jobs to deliveries that are due and have none: their job was lost with the queue, died with its worker, or was
 * never made because the destination was down. Where the queue brings none to anybody, the deliveries are made right
 * here. Any number of sweepers may run; PostgreSQL's clock decides.
 */
@Injectable()
export class DeliverySweeper extends BackgroundWork {
  private readonly offers: JobOffers<'deliveries'>;
  /** When there is a look whatever happens, and when there may be one. */
  private lookAt = 0;
  private mayLookAt = 0;
  private destinationsSeen: object | undefined;
  protected readonly loop = this.every(
    // Never in step with other workers, nor with a receiver that comes and goes.
    () => INTERVAL_MS * (0.75 + 0.5 * Math.random()),
    () => this.sweep(),
    'The sweep did not succeed',
  );

  constructor(
    private readonly ledger: Ledger,
    private readonly probes: DestinationProbes,
    private readonly work: DeliveryWork,
    private readonly destinations: ActiveDestinations,
    private readonly processor: DeliveryProcessor,
    dispatcher: JobDispatcher,
  ) {
    super();
    this.offers = new JobOffers(dispatcher, 'deliveries', processor.jobs);
  }

  /** One round. @throws when PostgreSQL is away. */
  async sweep(): Promise<void> {
    await this.probes.startDue();
    if (!this.isTimeToLook()) return;
    const backlogs = (await this.findBacklogs()).filter(({ id }) => this.work.isForLanes(id));
    if (backlogs.length === 0) {
      this.offers.rest();
      return;
    }
    if (await this.offers.offer(backlogs.map(jobOfPeriod))) return;
    this.processor.noteLostJobs();
    for (const { id } of backlogs) this.work.drain(id);
  }

  private isTimeToLook(): boolean {
    const hasChanged = this.destinations.snapshot !== this.destinationsSeen;
    return performance.now() >= (hasChanged ? this.mayLookAt : this.lookAt);
  }

  private async findBacklogs(): Promise<Backlog[]> {
    this.destinationsSeen = this.destinations.snapshot;
    const start = performance.now();
    const found = await this.ledger.findBacklogs();
    const end = performance.now();
    const pauseMs = Math.min(PAUSE_PER_LOOK * (end - start), MAX_PAUSE_MS);
    // The round that comes closest to it.
    const restMs = this.ledger.isAlarmed ? ALARMED_MS : IDLE_MS;
    this.mayLookAt = end + pauseMs;
    this.lookAt =
      found.length > 0 ? this.mayLookAt : Math.max(this.mayLookAt, end + restMs - INTERVAL_MS / 2);
    return found;
  }
}

function jobOfPeriod(backlog: Backlog): NewJob<'deliveries'> {
  return backlogJob(backlog, String(Math.floor(backlog.now_ms / PERIOD_MS)));
}
