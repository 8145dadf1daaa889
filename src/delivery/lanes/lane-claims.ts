import { Logger } from '@nestjs/common';
import type { KnownTries } from '../ledger/claiming/known-tries';
import type { Ledger } from '../ledger/ledger';
import { BacklogPass } from './backlog-pass';
import { Hold } from './hold';
import type { LaneBudget, WantedClaim } from './lane-budget';
import type { LaneGate } from './lane-gate';
import type { LaneJob } from './lane-job';
import { OrderedBacklog } from './ordered-backlog';

/** A delivery that a job brought and that is not claimed. */
interface Waiting {
  readonly id: string;
  readonly job: LaneJob;
}

/** Where a claim comes from. */
type Source = Pick<WantedClaim, 'kind' | 'size' | 'claim'>;

/** The part of a claim that retries may have where there are enough first tries, which never wait for them. */
const SHARE_OF_RETRIES = 0.2;
/** A probe may be made with a delivery that is due so soon. What its receiver put off for longer is left alone. */
const PROBE_AHEAD_MS = 120_000;

/** What waits for a lane, brought by jobs or due in the ledger, and how it is claimed and given back. */
export class LaneClaims {
  private readonly logger = new Logger('Lanes');
  private readonly firstTries: Waiting[] = [];
  private readonly retries: Waiting[] = [];
  /** Less than one retry: of claims that were too small to have one. */
  private owedToRetries = 0;
  private backlog: BacklogPass | undefined;
  private claims = 0;
  private readonly ordered: OrderedBacklog;

  constructor(
    private readonly gate: LaneGate,
    private readonly ledger: Ledger,
    private readonly budget: LaneBudget,
  ) {
    this.ordered = new OrderedBacklog(ledger);
  }

  /** Deliveries that jobs brought. */
  get waiting(): number {
    return this.firstTries.length + this.retries.length;
  }

  /** Whether there may be anything to claim. */
  get areWanted(): boolean {
    return this.waiting > 0 || this.ordered.areAny || this.backlog !== undefined;
  }

  addJob(job: LaneJob): void {
    const queue = job.isRetry ? this.retries : this.firstTries;
    for (const id of job.deliveryIds) queue.push({ id, job });
    this.budget.countWaiting(job.deliveryIds.length);
  }

  /** People of whom the head may be free. No job waits for them. */
  addPeople(people: readonly string[]): void {
    this.ordered.addPeople(people);
  }

  /** Whatever of the destination is due. No job waits for it. */
  addBacklog(): void {
    this.backlog ??= new BacklogPass(performance.now());
    if (this.gate.destination?.order != null) this.ordered.walk();
  }

  /**
   * Claims up to so many; in rotation of what jobs bring and of the backlog. Never rejects: while PostgreSQL is away, what
   * waits is left to the sweeper.
   */
  async claimHolds(atMost: number): Promise<Hold[]> {
    try {
      const source = this.nextSource(atMost);
      if (source === undefined) return [];
      const { kind, size, claim } = source;
      const { perSecond } = this.gate;
      const holds = await this.budget.makeClaim({
        kind,
        size,
        perSecond,
        claim: async (limit) => (this.gate.isOpen ? claim(limit) : []),
      });
      if (this.gate.destination === undefined) this.cancel(holds);
      else if (this.isLimitedSince(perSecond)) this.leaveToBacklog(holds);
      else return holds;
    } catch (error) {
      this.warn(error);
      this.giveBackWaiting();
    }
    return [];
  }

  /** Claims a delivery to find out whether the destination is back. A long outage must not use up its tries. */
  async claimProbe(): Promise<Hold | undefined> {
    const [due] = await this.ledger.claimNext(this.gate.destinationId, PROBE_AHEAD_MS);
    const { destination } = this.gate;
    const delivery = due ?? (destination && (await this.ordered.claimAny(destination)));
    if (delivery === undefined) return undefined;
    const hold = new Hold({ ...delivery, isProbe: true }, undefined, this.budget);
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
    const waiting = this.takeWaiting(this.waiting);
    this.backlog = undefined;
    this.ordered.forget();
    this.ledger
      .defer(
        waiting.map(({ id }) => id),
        triesOf(waiting),
      )
      .catch((error) => this.warn(error));
    for (const { job } of waiting) job.endOne();
  }

  /** Whether it has become known since that the destination has another rate: nobody has permitted what was claimed. */
  private isLimitedSince(perSecond: number | undefined): boolean {
    return this.gate.perSecond !== undefined && this.gate.perSecond !== perSecond;
  }

  private leaveToBacklog(holds: readonly Hold[]): void {
    this.giveBack(holds);
    this.addBacklog();
  }

  /** What jobs brought, heads that may be free, and the backlog, in rotation. */
  private nextSource(atMost: number): Source | undefined {
    const { waiting, backlog: pass, ordered } = this;
    const sources: Source[] = [];
    if (waiting > 0) {
      const size = Math.min(waiting, atMost);
      sources.push({ kind: 'jobs', size, claim: (limit) => this.claimWaiting(limit) });
    }
    if (ordered.areAny) {
      const size = Math.min(Math.max(ordered.size, 1), atMost);
      sources.push({ kind: 'jobs', size, claim: (limit) => this.claimHeads(limit) });
    }
    if (pass !== undefined)
      sources.push({ kind: 'backlog', size: atMost, claim: (limit) => this.claimDue(pass, limit) });
    this.claims += 1;
    return sources[this.claims % sources.length];
  }

  private async claimHeads(limit: number): Promise<Hold[]> {
    const { destination } = this.gate;
    if (destination === undefined) {
      this.ordered.forget();
      return [];
    }
    const deliveries = await this.ordered.claimHeads(destination, limit);
    return deliveries.map((delivery) => new Hold(delivery, undefined, this.budget));
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
    const taken = this.takeWaiting(limit);
    for (const { id, job } of taken) {
      // Brought twice, by a job that the queue took for lost: the first one does not wait for it any more.
      jobOf.get(id)?.endOne();
      jobOf.set(id, job);
    }
    if (jobOf.size === 0) return [];
    try {
      const deliveries = await this.ledger.claimDeliveries([...jobOf.keys()], triesOf(taken));
      return deliveries.map((delivery) => {
        const job = jobOf.get(delivery.id);
        jobOf.delete(delivery.id);
        return new Hold(delivery, job, this.budget);
      });
    } finally {
      void this.endUnclaimed(jobOf);
    }
  }

  /** Done already, in other hands, passed over, or left to the sweeper by an outage. Never rejects. */
  private async endUnclaimed(jobOf: ReadonlyMap<string, LaneJob>): Promise<void> {
    const retries = [...jobOf].filter(([, { isRetry }]) => isRetry).map(([id, job]) => ({ id, job }));
    if (retries.length > 0) {
      const ids = retries.map(({ id }) => id);
      const passedOver = await this.ledger.findPassedOver(ids, triesOf(retries)).catch((): string[] => []);
      for (const { id, job } of retries) job.isPassedOver = passedOver.includes(id);
    }
    for (const job of jobOf.values()) job.endOne();
  }

  private takeWaiting(limit: number): Waiting[] {
    const share = limit * SHARE_OF_RETRIES + this.owedToRetries;
    this.owedToRetries = share % 1;
    const room = Math.max(limit - this.firstTries.length, Math.floor(share));
    const retries = this.retries.splice(0, room);
    const taken = [...this.firstTries.splice(0, limit - retries.length), ...retries];
    this.budget.countWaiting(-taken.length);
    return taken;
  }

  private cancel(holds: readonly Hold[]): void {
    this.ledger.cancel(holds.map(({ delivery }) => delivery.id)).catch((error) => this.warn(error));
    for (const hold of holds) hold.end();
  }

  private warn(error: unknown): void {
    this.logger.warn(`The ledger could not be used: ${String(error)}`);
  }
}

function triesOf(waiting: readonly Waiting[]): KnownTries {
  return new Map(waiting.flatMap(({ id, job: { tries } }) => (tries === undefined ? [] : [[id, tries]])));
}
