import type { ActiveDestination } from '../../destinations/active-destinations';
import type { Breaker } from '../breaker/breaker';
import type { ClaimedDelivery } from '../ledger/claimed-delivery';
import type { Outcome } from '../ledger/outcome';
import { Allowance } from '../rate/allowance';
import { BacklogPass } from './backlog-pass';
import { Batch } from './batch';
import { HeldBodies } from './held-bodies';
import type { LaneTools } from './lane-tools';

interface Claimed {
  readonly delivery: ClaimedDelivery;
  /** Undefined for the backlog, which no job brought. */
  readonly batch: Batch | undefined;
  /** See {@link HeldBodies}. */
  place: number;
}

const MAX_CLAIM = 100;
/** Claimed deliveries that wait, per try under way: enough that sending never waits for a claim. */
const CLAIM_AHEAD = 4;
/** The part of a claim that retries may have where there are enough first tries, which never wait for them. */
const SHARE_OF_RETRIES = 0.2;
/** A lane in which no try ended for so long, although some are under way, keeps no jobs waiting. */
const STUCK_AFTER_MS = 2_000;
const LEASE_RESERVE_MS = 5_000;
/** A destination that is down is probed no less often. */
const DOWN_MS = 30_000;
/** A lane that has too much to do, or is stuck, may be better by then. */
const BUSY_MS = 5_000;
/** A probe may be made with a delivery that is due so soon. What its receiver put off for longer is left alone. */
const PROBE_AHEAD_MS = 120_000;

/** The deliveries of one destination in this process: what it takes, holds and sends at a time. */
export class Lane {
  private readonly fresh: Claimable[] = [];
  private readonly retries: Claimable[] = [];
  private ready: Claimed[] = [];
  private readonly batches = new Set<Batch>();
  private readonly allowance: Allowance;
  private readonly bodies: HeldBodies;
  private readonly resume = (): void => this.pump();
  private sending = 0;
  private recording = 0;
  private claiming = false;
  private backlog: BacklogPass | undefined;
  private backlogsTurn = false;
  private lastEndAt = performance.now();
  private closed = false;
  private endedSinceTick = 0;
  /** As of the last full second; undefined for a lane that has only begun. */
  triesPerSecond: number | undefined;

  constructor(
    readonly destinationId: string,
    readonly breaker: Breaker,
    private readonly tools: LaneTools,
  ) {
    this.allowance = new Allowance(destinationId, tools.limiter, this.resume);
    this.bodies = new HeldBodies(tools.limits);
  }

  /** Jobs that wait for this lane. */
  get held(): number {
    return this.batches.size;
  }

  get idle(): boolean {
    return this.sending + this.recording + this.ready.length + this.waiting === 0 && !this.claiming;
  }

  /** Whether deliveries may be sent at all. When not, they wait in the ledger. */
  get isOpen(): boolean {
    const destination = this.tools.destinations.get(this.destinationId);
    if (this.closed || this.breaker.state === 'open') return false;
    // A deleted destination is let through: its deliveries are claimed to be cancelled.
    return destination === undefined || (destination.enabled && this.tools.sends(destination));
  }

  /** The deliveries in hand, from the claim until the outcome is recorded. */
  get heldIds(): string[] {
    return this.bodies.ids;
  }

  get isStuck(): boolean {
    return this.sending > 0 && performance.now() - this.lastEndAt > STUCK_AFTER_MS;
  }

  /** When it makes sense to ask again whether a job may wait for this lane; undefined when nobody knows. */
  get opensInMs(): number | undefined {
    if (this.breaker.state === 'open') return DOWN_MS;
    if (!this.isOpen) return undefined;
    const { perSecond } = this;
    const waitMs = perSecond === undefined ? BUSY_MS : (this.waiting / perSecond) * 1_000;
    return Math.min(Math.max(waitMs, BUSY_MS), DOWN_MS);
  }

  /** Whether a job with so many deliveries may wait for this lane. When not, they are left to the ledger. */
  takesJob(deliveries: number): boolean {
    const fits = this.waiting + deliveries <= this.allowance.maxHeld(this.perSecond);
    return this.isOpen && !this.isStuck && fits;
  }

  /** Takes deliveries in. The batch is done when they are, or when the lane is open no more. */
  take(batch: Batch): void {
    const queue = batch.isRetry ? this.retries : this.fresh;
    queue.push(...batch.ids.map((id) => ({ id, batch })));
    this.batches.add(batch);
    void batch.done.then(() => this.batches.delete(batch));
    this.pump();
  }

  /** Begins to work through whatever of the destination is due in the ledger. No job waits for it. */
  drain(): void {
    if (!this.isOpen) return;
    this.backlog ??= new BacklogPass(performance.now());
    this.pump();
  }

  /**
   * Tries one delivery although the breaker is open. Answers whether the breaker may close: it worked, or nothing
   * waits. A probe that fails costs the delivery none of its tries, or a long outage would use them up.
   */
  async probe(): Promise<boolean> {
    const [delivery] = await this.tools.ledger.claimNext(this.destinationId, PROBE_AHEAD_MS);
    const destination = this.tools.destinations.get(this.destinationId);
    if (destination === undefined) return true;
    if (delivery === undefined) return !(await this.tools.ledger.hasPending(this.destinationId));
    const outcome = await this.try({ ...delivery, attemptLimit: Infinity }, destination);
    try {
      if (outcome.state === 'pending') await this.tools.ledger.park(outcome);
      else await this.tools.writer.record(outcome);
    } finally {
      this.recording -= 1;
    }
    this.tools.onRecorded(outcome, true);
    return outcome.state === 'delivered';
  }

  /** Called every second. */
  tick(): void {
    this.triesPerSecond = this.sending === 0 && this.endedSinceTick === 0 ? undefined : this.endedSinceTick;
    this.endedSinceTick = 0;
  }

  /** Lets the jobs go; what they brought stays in hand. */
  detachJobs(): void {
    for (const batch of this.batches) batch.detach();
  }

  /** Gives back what is not being sent, because the lane is open no more. */
  giveBack(): void {
    const claimed = this.ready;
    this.ready = [];
    const waiting = [...this.fresh.splice(0), ...this.retries.splice(0)];
    this.backlog = undefined;
    this.tools.ledger.release(claimed.map(({ delivery }) => delivery)).catch(this.tools.onError);
    this.tools.ledger.defer(waiting.map(({ id }) => id)).catch(this.tools.onError);
    for (const one of claimed) this.bodies.release(one);
    for (const { batch } of [...waiting, ...claimed]) batch?.settle();
  }

  /** Starts nothing more; what is being sent ends by itself. */
  close(): void {
    this.closed = true;
    this.allowance.close();
    this.giveBack();
  }

  /** Starts whatever may start now. */
  pump(): void {
    if (!this.isOpen) return this.giveBack();
    while (this.ready.length > 0 && this.maySend) {
      const next = this.ready.shift() as Claimed;
      if (this.leaseSuffices(next.delivery)) void this.run(next);
      else this.drop(next);
    }
    if (this.ready.length > 0 && this.tools.writer.isFull) this.tools.writer.whenRoom(this.resume);
    const hungry = this.ready.length < Math.min(MAX_CLAIM, this.breaker.concurrency * CLAIM_AHEAD);
    const mayClaim = hungry && !this.claiming && !this.allowance.isExhausted && this.bodies.room > 0;
    if (mayClaim && (this.waiting > 0 || this.backlog !== undefined)) void this.claim();
  }

  private get perSecond(): number | undefined {
    return this.tools.destinations.get(this.destinationId)?.perSecond;
  }

  private get waiting(): number {
    return this.fresh.length + this.retries.length;
  }

  private get maySend(): boolean {
    const { limits, writer } = this.tools;
    return this.sending < Math.min(this.breaker.concurrency, limits.tries.share) && !writer.isFull;
  }

  private async claim(): Promise<void> {
    this.claiming = true;
    try {
      // The backlog and what jobs bring take turns.
      const backlog = this.backlogsTurn || this.waiting === 0 ? this.backlog : undefined;
      const wanted = backlog === undefined ? Math.min(this.waiting, this.claimSize) : this.claimSize;
      const size = await this.allowance.take(wanted, this.perSecond);
      if (size > 0 && this.isOpen) {
        this.backlogsTurn = backlog === undefined;
        const turns = backlog === undefined ? this.tools.limits.jobClaims : this.tools.limits.backlogClaims;
        const claimed = await turns.take(() => this.claimUpTo(size, backlog));
        this.allowance.giveBack(size - claimed.length);
        this.accept(claimed);
      }
    } catch (error) {
      this.backlog = undefined;
      this.tools.onError(error);
    } finally {
      this.claiming = false;
    }
    this.pump();
  }

  private async claimUpTo(permitted: number, backlog: BacklogPass | undefined): Promise<Claimed[]> {
    const size = Math.min(permitted, this.bodies.room);
    if (size === 0 || !this.isOpen) return [];
    const claiming = backlog === undefined ? this.claimWaiting(size) : this.claimBacklog(backlog, size);
    const claimed = await claiming;
    this.bodies.take(claimed);
    return claimed;
  }

  private async claimBacklog(pass: BacklogPass, limit: number): Promise<Claimed[]> {
    const { ledger } = this.tools;
    const deliveries = await ledger.claimDue(this.destinationId, limit, pass.from(performance.now()));
    // It may have been ended meanwhile, and another one begun.
    if (pass.ends(deliveries, limit, performance.now()) && this.backlog === pass) this.backlog = undefined;
    return deliveries.map((delivery) => ({ delivery, batch: undefined, place: 0 }));
  }

  private async claimWaiting(limit: number): Promise<Claimed[]> {
    const room = Math.max(limit - this.fresh.length, Math.floor(limit * SHARE_OF_RETRIES));
    const retries = this.retries.splice(0, room);
    const wanted = [...this.fresh.splice(0, limit - retries.length), ...retries];
    if (wanted.length === 0) return [];
    const batchOf = new Map(wanted.map(({ id, batch }) => [id, batch]));
    try {
      const deliveries = await this.tools.ledger.claim([...batchOf.keys()]);
      return deliveries.map((delivery) => {
        const batch = batchOf.get(delivery.id);
        batchOf.delete(delivery.id);
        return { delivery, batch, place: 0 };
      });
    } finally {
      // Done already, in other hands, or left to the sweeper by an outage.
      for (const batch of batchOf.values()) batch.settle();
    }
  }

  private get claimSize(): number {
    return this.breaker.ramping ? this.breaker.concurrency : MAX_CLAIM;
  }

  private accept(claimed: Claimed[]): void {
    if (claimed.length > 0 && this.sending === 0) this.lastEndAt = performance.now();
    if (this.tools.destinations.get(this.destinationId) !== undefined) {
      this.ready.push(...claimed);
      return;
    }
    this.tools.ledger.cancel(claimed.map(({ delivery }) => delivery.id)).catch(this.tools.onError);
    for (const one of claimed) this.bodies.release(one);
    for (const { batch } of claimed) batch?.settle();
  }

  private async run(claimed: Claimed): Promise<void> {
    const { delivery, batch } = claimed;
    const destination = this.tools.destinations.get(this.destinationId);
    if (destination === undefined) return this.drop(claimed);
    const outcome = await this.try(delivery, destination);
    const recorded = this.tools.writer.record(outcome);
    this.pump();
    await recorded;
    this.recording -= 1;
    this.bodies.release(claimed);
    const byJob = batch !== undefined && batch.isRetry && !batch.detached;
    batch?.settle(outcome);
    this.tools.onRecorded(outcome, byJob);
    this.pump();
  }

  /** Sends; the outcome counts as being recorded from then on. */
  private async try(delivery: ClaimedDelivery, destination: ActiveDestination): Promise<Outcome> {
    this.sending += 1;
    this.tools.limits.tries.add(1);
    const outcome = await this.tools.sender.try(delivery, destination);
    this.sending -= 1;
    this.tools.limits.tries.add(-1);
    this.recording += 1;
    this.lastEndAt = performance.now();
    this.endedSinceTick += 1;
    this.tools.onTried(outcome, this);
    return outcome;
  }

  private leaseSuffices(delivery: ClaimedDelivery): boolean {
    return performance.now() + this.tools.timeoutMs + LEASE_RESERVE_MS < delivery.leaseEndsAt;
  }

  /** The delivery waited too long for its turn: others may take it. */
  private drop(claimed: Claimed): void {
    claimed.batch?.settle();
    this.bodies.release(claimed);
    this.tools.ledger.release([claimed.delivery]).catch(this.tools.onError);
  }
}

interface Claimable {
  readonly id: string;
  readonly batch: Batch;
}
