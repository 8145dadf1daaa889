import type { ActiveDestination } from '../../destinations/active-destinations';
import type { Attempts } from '../sending/attempts';
import { MAX_PROBE_MS } from '../breaker/destination-health';
import { type ProbeFinding, probeWith } from '../breaker/probe-with';
import { isRefusal } from '../breaker/refusal';
import { MAX_JOB_DELIVERIES } from '../first-tries';
import type { HeldDelivery } from '../ledger/claiming/secure-deliveries';
import type { Hold } from './hold';
import type { LaneBudget } from './lane-budget';
import type { LaneClaims } from './lane-claims';
import type { LaneGate } from './lane-gate';
import type { LaneJob } from './lane-job';

/** What one claim takes at most: as much as one job brings. */
const MAX_CLAIM = MAX_JOB_DELIVERIES;
/** Claimed deliveries that wait, per try under way: enough that sending never waits for a claim. */
const CLAIM_AHEAD = 4;
/** A lane that has too much to do, or is stuck, may be better by then. */
const BUSY_MS = 5_000;

/**
 * The deliveries of one destination in this process. One loop claims what waits, waits for a slot for each, and sends;
 * it begins with the first job or drain and ends when nothing waits or the gate closes.
 */
export class Lane {
  private readonly jobs = new Set<LaneJob>();
  /** Those of the jobs that make later tries. */
  waitingRetries = 0;
  private isWorking = false;
  /** Claimed deliveries that wait for a slot. */
  private ready = 0;
  /** Whether something was left in the ledger because the gate was closed. */
  private isOwing = false;

  constructor(
    readonly gate: LaneGate,
    private readonly claims: LaneClaims,
    private readonly budget: LaneBudget,
    private readonly attempts: Attempts,
  ) {}

  /** Jobs that wait for this lane. */
  get waitingJobs(): number {
    return this.jobs.size;
  }

  get isIdle(): boolean {
    return !this.isWorking && this.budget.isUnused;
  }

  /** Whether its tries take so long that no job should wait for them. */
  get isStuck(): boolean {
    return this.budget.tries.areStuck;
  }

  get triesPerSecond(): number | undefined {
    return this.budget.tries.perSecond;
  }

  /** The deliveries in hand, from the claim until the outcome is recorded. */
  get held(): HeldDelivery[] {
    return this.budget.held;
  }

  /** When it makes sense to ask again whether a job may wait for this lane; undefined when that is not known. */
  get opensInMs(): number | undefined {
    if (this.gate.isDown) return MAX_PROBE_MS;
    if (!this.gate.isOpen) return undefined;
    const { perSecond } = this.gate;
    const waitMs = perSecond === undefined ? BUSY_MS : (this.claims.waiting / perSecond) * 1_000;
    return Math.min(Math.max(waitMs, BUSY_MS), MAX_PROBE_MS);
  }

  /** Whether a job with so many deliveries may wait for this lane. When not, they are left to the ledger. */
  takesJob(deliveries: number): boolean {
    const fits = this.claims.waiting + deliveries <= this.budget.mostWaiting(this.gate.perSecond);
    return this.gate.isOpen && !this.isStuck && fits;
  }

  /** Resolves when the deliveries of the job have ended, were left to the ledger, or the job was let go. */
  async deliver(job: LaneJob): Promise<void> {
    this.claims.addJob(job);
    this.jobs.add(job);
    if (job.isRetry) this.waitingRetries += 1;
    this.startWork();
    await job.done;
    this.jobs.delete(job);
    if (job.isRetry) this.waitingRetries -= 1;
  }

  /** The heads of these people may be free, in a destination with an order. */
  lookAt(people: readonly string[]): void {
    if (!this.gate.isOpen) {
      this.isOwing = true;
      return;
    }
    this.claims.addPeople(people);
    this.startWork();
  }

  /**
   * Begins to work through whatever of the destination is due in the ledger, as soon as the gate is open. No job waits
   * for it.
   */
  drain(): void {
    this.isOwing = !this.gate.isOpen;
    if (this.isOwing) return;
    this.claims.addBacklog();
    this.startWork();
  }

  /** Probes with a delivery. One that fails costs the delivery none of its tries. */
  probe(): Promise<ProbeFinding> {
    return probeWith({
      claim: async () => (this.gate.mayBeProbed ? this.claims.claimProbe() : undefined),
      hasPending: async () => this.gate.destination !== undefined && this.claims.hasPending(),
      attempt: (hold) => this.attemptProbe(hold),
    });
  }

  /** Called every second: what else may have opened or closed the gate is noticed then. */
  tick(): void {
    this.budget.tries.tick();
    this.budget.noteChange();
    if (this.isOwing) this.drain();
  }

  /** Lets the jobs go; what they brought stays in hand. */
  letJobsGo(): void {
    for (const job of this.jobs) job.letGo();
  }

  /** Starts nothing more; what is being sent ends by itself. */
  close(): void {
    this.gate.shut();
    this.budget.close();
    this.budget.noteChange();
  }

  private async attemptProbe(hold: Hold): Promise<'unsent' | 'works' | 'idle' | 'down'> {
    const { destination } = this.gate;
    try {
      if (destination === undefined) return 'idle';
      this.budget.tries.start();
      const outcome = await this.attempts.make(hold.delivery, destination);
      this.budget.tries.end();
      await this.attempts.recordProbe(outcome);
      // One that waits for something else would be found again at once.
      if (outcome.isOfEvent === true && outcome.state !== 'pending') return 'unsent';
      return outcome.state === 'delivered' || isRefusal(outcome) ? 'works' : 'down';
    } finally {
      hold.end();
    }
  }

  private startWork(): void {
    if (!this.isWorking) void this.work();
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    this.isWorking = true;
    while (this.gate.isOpen && this.claims.areWanted) {
      let holds = await this.nextHolds();
      while (holds.length > 0) {
        // While these are sent.
        const ahead = this.nextHolds();
        await this.sendAll(holds);
        holds = await ahead;
      }
    }
    this.isWorking = false;
    if (this.gate.isOpen) return;
    this.claims.giveBackWaiting();
    this.isOwing = true;
  }

  /** Claims as soon as there is something to claim and it may be: none when nothing waits or the gate is closed. */
  private async nextHolds(): Promise<Hold[]> {
    while (this.gate.isOpen && this.claims.areWanted) {
      if (!this.mayClaim) {
        await this.budget.nextChange();
        continue;
      }
      const { breaker } = this.gate;
      const holds = await this.claims.claimHolds(breaker.ramping ? breaker.concurrency : MAX_CLAIM);
      this.ready += holds.length;
      if (holds.length > 0) return holds;
    }
    return [];
  }

  private get mayClaim(): boolean {
    const most = Math.min(MAX_CLAIM, this.gate.breaker.concurrency * CLAIM_AHEAD);
    return this.ready < most && this.budget.mayClaim;
  }

  /** Resolves when the last of them is being sent. */
  private async sendAll(holds: readonly Hold[]): Promise<void> {
    for (const [index, hold] of holds.entries()) {
      while (this.mustWait) await this.budget.nextChange();
      if (!this.gate.isOpen) {
        this.ready -= holds.length - index;
        this.isOwing = true;
        return this.claims.giveBack(holds.slice(index));
      }
      this.ready -= 1;
      const { destination } = this.gate;
      if (destination !== undefined && this.claims.lastsForATry(hold)) void this.send(hold, destination);
      // It waited too long for a slot: others may take it.
      else this.claims.giveBack([hold]);
    }
  }

  /** Whether no further try may begin now; not when the gate is closed, because then there is nothing to wait for. */
  private get mustWait(): boolean {
    return this.gate.isOpen && !this.budget.mayTry(this.gate.breaker.concurrency);
  }

  /** Never rejects. */
  private async send(hold: Hold, destination: ActiveDestination): Promise<void> {
    this.budget.tries.start();
    const outcome = await this.attempts.make(hold.delivery, destination);
    // First, because what waits to be recorded counts from now on.
    const recorded = this.attempts.record(outcome, hold.isRetriedByJob);
    this.budget.tries.end();
    this.budget.noteChange();
    await recorded;
    hold.end(outcome);
    const { person } = hold.delivery;
    if (person !== undefined && outcome.state !== 'pending') this.lookAt([person]);
  }
}
