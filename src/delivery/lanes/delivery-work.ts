import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import type { JobData } from '../../platform/queues/job';
import { MAX_JOB_DELIVERIES } from '../first-tries';
import { DeliveryModes } from '../delivery-modes';
import { type KnownTries, noTriesOf } from '../ledger/claiming/known-tries';
import { Ledger } from '../ledger/ledger';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { WorkerPresence } from '../presence/worker-presence';
import { FairShare } from './fair-share';
import type { Lane } from './lane';
import { LaneJob } from './lane-job';
import { Lanes } from './lanes';

/** Jobs of the `deliveries` queue that one process takes at once. They hold no connection while they wait. */
export const DELIVERY_JOBS_AT_ONCE = 1_000;
/** The same of `delivery-retries`, each of one delivery. */
export const RETRY_JOBS_AT_ONCE = 200;
/** As long as this many can still be taken, destinations may keep jobs waiting as they like. */
const SPARE_JOBS = DELIVERY_JOBS_AT_ONCE / 2;
/** Jobs that any destination may keep waiting. */
const MIN_WAITING = 8;
/** When jobs are scarce, a destination keeps no more of them waiting than it works off in this many seconds. */
const WAITING_SECONDS = 10;
const TICK_MS = 1_000;
const SHUTDOWN_POLL_MS = 20;

/** What came of a later try. `over`: it was not made, and is left to the ledger, if it is still to be made. */
type Retried =
  | { readonly kind: 'tried'; readonly outcome: DeliveryOutcome }
  | { readonly kind: 'later'; readonly waitMs: number }
  | { readonly kind: 'over' };
const OVER = { kind: 'over' } as const;
/** How long a retry waits whose delivery is in a transaction of people who become others, or are deleted. */
const PASSED_OVER_MS = 1_000;

/** The work that processors and the sweeper bring to the lanes, and how much of it may wait there. */
@Injectable()
export class DeliveryWork implements OnModuleDestroy, OnApplicationShutdown {
  private readonly timer: NodeJS.Timeout;
  private waitingJobs = 0;
  private stopped: Promise<void> | undefined;
  /** A destination that is slow to fail has many retries, which must not keep those of others from their lanes. */
  private readonly retryJobs = new FairShare(RETRY_JOBS_AT_ONCE, 1);

  constructor(
    private readonly lanes: Lanes,
    private readonly ledger: Ledger,
    private readonly modes: DeliveryModes,
    private readonly presence: WorkerPresence,
    private readonly config: Config,
  ) {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /**
   * Makes the first tries of deliveries of one destination, and no later ones: a job may be brought twice. Resolves
   * when they are recorded, or left to the backlog.
   */
  async deliver(destinationId: string, deliveryIds: readonly string[]): Promise<void> {
    if (!this.modes.goByLane(destinationId)) return;
    const made = this.tryDeliver(destinationId, deliveryIds);
    if (made !== undefined) return made;
    await this.leaveToBacklog(this.lanes.laneOf(destinationId), deliveryIds, noTriesOf(deliveryIds));
  }

  /** As {@link deliver}, unless the deliveries would have to wait: then it answers undefined, and nothing is done. */
  tryDeliver(destinationId: string, deliveryIds: readonly string[]): Promise<void> | undefined {
    if (!this.modes.goByLane(destinationId)) return undefined;
    const lane = this.lanes.laneOf(destinationId);
    if (!lane.takesJob(deliveryIds.length) || this.keepsTooMany(lane)) return undefined;
    return this.bring(lane, new LaneJob(deliveryIds, false, 0));
  }

  /**
   * Makes a later try of one delivery, unless that is over or has to wait.
   * @param tries that the delivery had when the job was made
   */
  async retry({ destinationId, deliveryId, tries }: JobData<'delivery-retries'>): Promise<Retried> {
    if (!this.modes.goByLane(destinationId)) return OVER;
    const lane = this.lanes.laneOf(destinationId);
    if (!lane.takesJob(1) || lane.waitingRetries >= this.retryJobs.share) {
      // Due for the first that comes: the backlog, once the lane is open, or the job.
      await this.leaveToBacklog(lane, [deliveryId], new Map([[deliveryId, tries]]));
      const { opensInMs } = lane;
      return opensInMs === undefined ? OVER : { kind: 'later', waitMs: opensInMs };
    }
    const job = new LaneJob([deliveryId], true, tries);
    this.retryJobs.addHeld(1);
    await lane.deliver(job);
    this.retryJobs.addHeld(-1);
    if (job.outcome !== undefined) return { kind: 'tried', outcome: job.outcome };
    return job.isPassedOver ? { kind: 'later', waitMs: PASSED_OVER_MS } : OVER;
  }

  /** Whether the destination's deliveries are made by lanes of this process. */
  isForLanes(destinationId: string): boolean {
    return this.modes.goByLane(destinationId);
  }

  /** Sends what is first of these people to a destination with an order, where it is free. */
  lookAt(destinationId: string, people: readonly string[]): void {
    if (this.modes.goByLane(destinationId)) this.lanes.laneOf(destinationId).lookAt(people);
  }

  /** Begins to work through whatever of a destination is due. */
  drain(destinationId: string): void {
    if (this.modes.goByLane(destinationId)) this.lanes.laneOf(destinationId).drain();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Tries that were cut off have ended, and what they came to is recorded if it can be. */
  onApplicationShutdown(): Promise<void> {
    return this.presence.leave(this.isIdle);
  }

  /**
   * Gives back what is not being sent, and waits for what is, within bounds. Whoever takes jobs asks for it when it
   * takes no more: those in hand end with it.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.closeLanes());
  }

  private async closeLanes(): Promise<void> {
    clearInterval(this.timer);
    const until = performance.now() + this.config.shutdown.triesMs;
    this.lanes.close();
    while (!this.isIdle && performance.now() < until) await delay(SHUTDOWN_POLL_MS);
    for (const lane of this.lanes.all()) lane.letJobsGo();
  }

  private get isIdle(): boolean {
    return this.lanes.all().every((lane) => lane.isIdle);
  }

  private async leaveToBacklog(lane: Lane, deliveryIds: readonly string[], tries: KnownTries): Promise<void> {
    await this.ledger.defer(deliveryIds, tries);
    lane.drain();
  }

  private async bring(lane: Lane, job: LaneJob): Promise<void> {
    this.waitingJobs += 1;
    await lane.deliver(job);
    this.waitingJobs -= 1;
  }

  private tick(): void {
    this.lanes.tick();
    for (const lane of this.lanes.all()) {
      if (lane.isStuck || this.keepsTooMany(lane)) lane.letJobsGo();
    }
  }

  /** Whether so many jobs wait for a slow destination that those of others could find no place. */
  private keepsTooMany(lane: Lane): boolean {
    return this.waitingJobs > DELIVERY_JOBS_AT_ONCE - SPARE_JOBS && lane.waitingJobs >= mostWaitingJobs(lane);
  }
}

/** How many jobs a lane may keep waiting, so that a slow destination does not hold up the jobs of others. */
function mostWaitingJobs({ triesPerSecond }: Lane): number {
  if (triesPerSecond === undefined) return DELIVERY_JOBS_AT_ONCE;
  return Math.max(MIN_WAITING, Math.ceil((triesPerSecond * WAITING_SECONDS) / MAX_JOB_DELIVERIES));
}
