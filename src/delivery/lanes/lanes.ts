import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isBatchConnector } from '../../connectors/connector';
import { ConnectorRegistry } from '../../connectors/registry';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { Breaker } from '../breaker/breaker';
import { DestinationHealth } from '../breaker/health';
import { Ledger } from '../ledger/ledger';
import type { Outcome } from '../ledger/outcome';
import { OutcomeWriter } from '../ledger/outcome-writer';
import { WorkerPresence } from '../presence/worker-presence';
import { RateLimiter } from '../rate/rate-limiter';
import { Sender } from '../sender';
import { Batch } from './batch';
import { DeliveryCounter } from '../stats/delivery-counter';
import { FollowUps } from './follow-ups';
import { Lane } from './lane';
import type { LaneTools } from './lane-tools';
import { LaneLimits } from './lane-limits';

/** Jobs of the `deliveries` queue that one process takes at once. They hold no connection while they wait. */
export const CHUNK_JOBS = 1_000;
/** As long as so many can still be taken, destinations may keep jobs waiting as they like. */
const SPARE_JOBS = CHUNK_JOBS / 2;
/** Jobs that any destination may keep waiting. */
const MIN_HELD = 8;
/** When jobs are scarce, a destination keeps no more of them waiting than it works off in so many seconds. */
const HELD_SECONDS = 10;
/** What one job brings at most. */
const CHUNK_SIZE = 100;
const TICK_MS = 1_000;
/** How much of the time for stopping the tries under way may take; a try that is cut off is made again. */
const SHUTDOWN_PART = 0.6;
const SHUTDOWN_POLL_MS = 20;

/** What came of a later try. `over`: it was not made, and is the ledger's business or nobody's. */
export type Retried =
  | { readonly kind: 'tried'; readonly outcome: Outcome }
  | { readonly kind: 'later'; readonly waitMs: number }
  | { readonly kind: 'over' };
const OVER = { kind: 'over' } as const;

/** What lanes work with. */
@Injectable()
export class LaneServices {
  constructor(
    readonly ledger: Ledger,
    readonly sender: Sender,
    readonly writer: OutcomeWriter,
    readonly followUps: FollowUps,
    readonly counter: DeliveryCounter,
    readonly limiter: RateLimiter,
    readonly presence: WorkerPresence,
  ) {}
}

/** One lane per destination, so that a destination that is slow, hangs or fails has only its own lane to fill. */
@Injectable()
export class Lanes implements OnModuleDestroy {
  private readonly logger = new Logger(Lanes.name);
  private readonly lanes = new Map<string, Lane>();
  private readonly tick: NodeJS.Timeout;
  private readonly tools: LaneTools;
  private heldJobs = 0;

  constructor(
    private readonly services: LaneServices,
    private readonly destinations: ActiveDestinations,
    private readonly health: DestinationHealth,
    private readonly connectors: ConnectorRegistry,
    @Inject(Config) private readonly config: Config,
  ) {
    const { ledger, sender, writer, followUps, counter, limiter } = services;
    this.tools = {
      ledger,
      sender,
      writer,
      limiter,
      limits: new LaneLimits(),
      destinations,
      timeoutMs: config.delivery.timeoutMs,
      sends: (destination) => this.sendsOneByOne(destination),
      onTried: (outcome, lane) => this.judge(outcome, lane),
      onRecorded: (outcome, byJob) => {
        counter.count(outcome);
        followUps.after(outcome, byJob);
      },
      onError: (error) => this.logger.warn(`The ledger could not be used: ${String(error)}`),
    };
    health.onRead = () => this.followHealth();
    this.tick = setInterval(() => this.letJobsGo(), TICK_MS).unref();
  }

  /** Makes the first tries of deliveries of one destination. Resolves when they are recorded, or left to the backlog. */
  async deliver(destinationId: string, deliveryIds: readonly string[]): Promise<void> {
    if (!this.sends(destinationId)) return;
    const lane = this.laneOf(destinationId);
    if (!lane.takesJob(deliveryIds.length) || this.holdsTooMany(lane)) {
      await this.services.ledger.defer(deliveryIds);
      lane.drain();
      return;
    }
    const batch = new Batch(deliveryIds);
    this.heldJobs += 1;
    lane.take(batch);
    await batch.done;
    this.heldJobs -= 1;
  }

  /** Makes a later try of one delivery, unless that is over or has to wait. */
  async retry(destinationId: string, deliveryId: string): Promise<Retried> {
    if (!this.sends(destinationId)) return OVER;
    const lane = this.laneOf(destinationId);
    if (!lane.takesJob(1)) {
      // Due for whoever comes first: the backlog, once the lane is open, or the job.
      await this.services.ledger.defer([deliveryId]);
      const { opensInMs } = lane;
      return opensInMs === undefined ? OVER : { kind: 'later', waitMs: opensInMs };
    }
    const batch = new Batch([deliveryId], true);
    lane.take(batch);
    await batch.done;
    return batch.outcome === undefined ? OVER : { kind: 'tried', outcome: batch.outcome };
  }

  /** Begins to work through whatever of a destination is due. */
  drain(destinationId: string): void {
    if (this.sends(destinationId)) this.laneOf(destinationId).drain();
  }

  /**
   * Whether the destination's deliveries are a lane's business. They are not when they travel in batches, and not
   * while the connector is not installed: then they wait in the ledger, and no try is spent on them.
   */
  sends(destinationId: string): boolean {
    const destination = this.destinations.get(destinationId);
    return destination === undefined || this.sendsOneByOne(destination);
  }

  /** Tries one delivery of a destination that is down, and closes its breaker when that works. */
  async probe(destinationId: string): Promise<void> {
    const lane = this.laneOf(destinationId);
    if (!(await lane.probe())) return;
    await this.health.closeBreaker(destinationId);
    lane.breaker.close();
    lane.drain();
  }

  /** Gives back what is not being sent, and waits for what is, within bounds. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.tick);
    const until = performance.now() + this.config.shutdown.graceMs * SHUTDOWN_PART;
    for (const lane of this.lanes.values()) lane.close();
    while ([...this.lanes.values()].some((lane) => !lane.idle) && performance.now() < until) {
      await delay(SHUTDOWN_POLL_MS);
    }
    for (const lane of this.lanes.values()) lane.detachJobs();
  }

  private sendsOneByOne({ type }: ActiveDestination): boolean {
    const connector = this.connectors.get(type);
    return connector !== undefined && !isBatchConnector(connector);
  }

  private laneOf(destinationId: string): Lane {
    let lane = this.lanes.get(destinationId);
    if (lane === undefined) {
      const { concurrency, breakerFailures } = this.config.delivery;
      const breaker = new Breaker(concurrency, breakerFailures);
      if (this.health.isOpen(destinationId)) breaker.open();
      lane = new Lane(destinationId, breaker, this.tools);
      this.lanes.set(destinationId, lane);
    }
    return lane;
  }

  private judge(
    { delivery, state, errorClass, attempt, waitMs, disableDestination }: Outcome,
    lane: Lane,
  ): void {
    if (state === 'delivered') return lane.breaker.onSuccess();
    if (disableDestination) return this.stop(lane);
    if (!lane.breaker.onFailure(attempt - (delivery.probes ?? 0) === 1)) return;
    lane.giveBack();
    const reason = errorClass ?? 'failed';
    this.logger.warn('A destination is down: its deliveries wait', {
      destinationId: lane.destinationId,
      reason,
    });
    const retryAfterMs = reason === 'rate_limited' ? waitMs : 0;
    this.health.openBreaker(lane.destinationId, reason, retryAfterMs).catch(this.tools.onError);
  }

  /** Sends nothing more to a receiver that is gone while that is being written down: it would be given up as well. */
  private stop(lane: Lane): void {
    lane.breaker.open();
    lane.giveBack();
  }

  /** Does to the lanes of this process what other processes found out. */
  private followHealth(): void {
    for (const lane of this.lanes.values()) {
      if (!this.health.isOpen(lane.destinationId)) lane.breaker.close();
      else if (lane.breaker.state === 'closed') {
        lane.breaker.open();
        lane.giveBack();
      }
    }
  }

  /** Whether so many jobs wait for a slow destination that those of others could find no place. */
  private holdsTooMany(lane: Lane): boolean {
    return this.heldJobs > CHUNK_JOBS - SPARE_JOBS && lane.held >= heldLimit(lane);
  }

  /** Marks all that is in hand as held while some worker may be gone, for others are about to look for what it held. */
  private secureHeld(): void {
    if (!this.services.presence.isAlarmed) return;
    const ids = [...this.lanes.values()].flatMap((lane) => lane.heldIds);
    this.services.ledger.secure(ids).catch(this.tools.onError);
  }

  private letJobsGo(): void {
    this.secureHeld();
    for (const lane of this.lanes.values()) {
      lane.tick();
      if (!lane.isOpen) lane.giveBack();
      if (lane.isStuck || this.holdsTooMany(lane)) lane.detachJobs();
      if (lane.idle && this.destinations.get(lane.destinationId) === undefined) {
        this.lanes.delete(lane.destinationId);
      }
    }
  }
}

/** How many jobs a lane may keep waiting, so that a slow destination does not hold up the jobs of others. */
function heldLimit(lane: Lane): number {
  if (lane.triesPerSecond === undefined) return CHUNK_JOBS;
  return Math.max(MIN_HELD, Math.ceil((lane.triesPerSecond * HELD_SECONDS) / CHUNK_SIZE));
}
