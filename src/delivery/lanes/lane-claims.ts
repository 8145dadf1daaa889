import { Logger } from '@nestjs/common';
import type { Ledger } from '../ledger/ledger';
import { BacklogPass } from './backlog-pass';
import { Hold } from './hold';
import type { LaneBudget } from './lane-budget';
import type { LaneGate } from './lane-gate';
import type { LaneJob } from './lane-job';

/** A delivery that a job brought and that is not claimed. */
interface Waiting {
  readonly id: string;
  readonly job: LaneJob;
}

/** The part of a claim that retries may have where there are enough first tries, which never wait for them. */
const SHARE_OF_RETRIES = 0.2;
/** A probe may be made with a delivery that is due so soon. What its receiver put off for longer is left alone. */
const PROBE_AHEAD_MS = 120_000;

/** What waits for a lane, brought by jobs or due in the ledger, and how it is claimed and given back. */
export class LaneClaims {
  private readonly logger = new Logger('Lanes');
  private readonly firstTries: Waiting[] = [];
  private readonly retries: Waiting[] = [];
  private backlog: BacklogPass | undefined;
  private isBacklogsTurn = false;

  constructor(
    private readonly gate: LaneGate,
    private readonly ledger: Ledger,
    private readonly budget: LaneBudget,
  ) {}

  /** Deliveries that jobs brought. */
  get waiting(): number {
    return this.firstTries.length + this.retries.length;
  }

  /** Whether there may be anything to claim. */
  get areWanted(): boolean {
    return this.waiting > 0 || this.backlog !== undefined;
  }

  addJob(job: LaneJob): void {
    const queue = job.isRetry ? this.retries : this.firstTries;
    for (const id of job.deliveryIds) queue.push({ id, job });
  }

  /** Whatever of the destination is due. No job waits for it. */
  addBacklog(): void {
    this.backlog ??= new BacklogPass(performance.now());
  }

  /**
   * Claims up to so many; what jobs bring and the backlog take turns. Never rejects: while PostgreSQL is away, what
   * waits is left to the sweeper.
   */
  async claim(atMost: number): Promise<Hold[]> {
    const pass = this.isBacklogsTurn || this.waiting === 0 ? this.backlog : undefined;
    try {
      const holds = await this.budget.claim({
        kind: pass === undefined ? 'jobs' : 'backlog',
        size: pass === undefined ? Math.min(this.waiting, atMost) : atMost,
        perSecond: this.gate.perSecond,
        claim: async (limit) => {
          if (!this.gate.isOpen) return [];
          this.isBacklogsTurn = pass === undefined;
          return pass === undefined ? this.claimWaiting(limit) : this.claimDue(pass, limit);
        },
      });
      if (this.gate.destination !== undefined) return holds;
      this.cancel(holds);
    } catch (error) {
      this.warn(error);
      this.giveBackWaiting();
    }
    return [];
  }

  /** Claims a delivery to find out whether the destination is back. A long outage must not use up its tries. */
  async claimProbe(): Promise<Hold | undefined> {
    const [delivery] = await this.ledger.claimNext(this.gate.destinationId, PROBE_AHEAD_MS);
    if (delivery === undefined) return undefined;
    const hold = new Hold({ ...delivery, attemptLimit: Infinity }, undefined, this.budget);
    this.budget.count([hold]);
    return hold;
  }

  /** Whether anything waits in the ledger, however long it is put off. */
  hasPending(): Promise<boolean> {
    return this.ledger.hasPending(this.gate.destinationId);
  }

  /** Whether no other worker takes the delivery before a try that begins now is recorded. */
  lastsForATry({ delivery }: Hold): boolean {
    return this.ledger.lastsForATry(delivery);
  }

  /** What will not be sent now is due, for any worker. */
  giveBack(holds: readonly Hold[]): void {
    this.ledger.release(holds.map(({ delivery }) => delivery)).catch((error) => this.warn(error));
    for (const hold of holds) hold.end();
  }

  /** As {@link giveBack}, of what was not claimed. */
  giveBackWaiting(): void {
    const waiting = [...this.firstTries.splice(0), ...this.retries.splice(0)];
    this.backlog = undefined;
    this.ledger.defer(waiting.map(({ id }) => id)).catch((error) => this.warn(error));
    for (const { job } of waiting) job.endOne();
  }

  private async claimDue(pass: BacklogPass, limit: number): Promise<Hold[]> {
    const { destinationId } = this.gate;
    const deliveries = await this.ledger.claimDue(destinationId, limit, pass.from(performance.now()));
    // It may have been ended meanwhile, and another one begun.
    if (pass.ends(deliveries, limit, performance.now()) && this.backlog === pass) this.backlog = undefined;
    return deliveries.map((delivery) => new Hold(delivery, undefined, this.budget));
  }

  private async claimWaiting(limit: number): Promise<Hold[]> {
    const jobOf = new Map<string, LaneJob>();
    for (const { id, job } of this.takeWaiting(limit)) {
      // Brought twice, by a job that the queue took for lost: the first one does not wait for it any more.
      jobOf.get(id)?.endOne();
      jobOf.set(id, job);
    }
    if (jobOf.size === 0) return [];
    try {
      const deliveries = await this.ledger.claim([...jobOf.keys()]);
      return deliveries.map((delivery) => {
        const job = jobOf.get(delivery.id);
        jobOf.delete(delivery.id);
        return new Hold(delivery, job, this.budget);
      });
    } finally {
      // Done already, in other hands, or left to the sweeper by an outage.
      for (const job of jobOf.values()) job.endOne();
    }
  }

  private takeWaiting(limit: number): Waiting[] {
    const room = Math.max(limit - this.firstTries.length, Math.floor(limit * SHARE_OF_RETRIES));
    const retries = this.retries.splice(0, room);
    return [...this.firstTries.splice(0, limit - retries.length), ...retries];
  }

  private cancel(holds: readonly Hold[]): void {
    this.ledger.cancel(holds.map(({ delivery }) => delivery.id)).catch((error) => this.warn(error));
    for (const hold of holds) hold.end();
  }

  private warn(error: unknown): void {
    this.logger.warn(`The ledger could not be used: ${String(error)}`);
  }
}
