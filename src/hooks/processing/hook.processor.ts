import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { CheckedEvents } from '../../ingestion/parsing/check-events';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Database } from '../../platform/database/database';
import { isCancelled, mayPass, refusesValues } from '../../platform/database/failure';
import { Problem } from '../../platform/http/problems/problem';
import {
  anyDueSql,
  leaseWaitingRequests,
  leaseLostRequest,
  findWaitingSources,
  giveLeasesBack,
  type HookRequest,
  type HookLease,
} from '../requests/hook-leases';
import { LeaseKeeper } from './lease-keeper';
import { type FailedHook, HookEvents, type HookOutcome, type MadeEvents } from './hook-events';
import { HookReport } from './hook-report';
import { HookSettling, type SettledHook } from './hook-settling';

/** Sources whose requests are in hand at a time, each with those of one round. */
const MAX_LINES = 50;
/** After that a round takes up nothing more: what has been made is stored, however slow the code is. */
const ROUND_MS = 2_000;
/** The line of requests whose leases have run out, of all sources. */
const LOST = 'lost';
const NOTHING: CheckedEvents = { valid: [], quarantined: [], rejected: [], warnings: [] };

/**
 * Makes events of the requests that others have posted. A request waits in PostgreSQL; whoever looks first leases
 * it, and a lease whose process is gone runs out. Each source has a line of its own: slow code holds up its
 * own requests.
 */
@Injectable()
export class HookProcessor implements OnModuleDestroy {
  private readonly logger = new Logger(HookProcessor.name);
  private readonly watch: Watch;
  private readonly lines = new Map<string, Promise<void>>();
  private readonly leases: LeaseKeeper;
  /** Sources that wait for a line, the first first. */
  private readonly passedOver: string[] = [];
  /** Of what could not be processed for want of PostgreSQL, or of a sandbox. */
  private readonly undone: HookLease[] = [];

  constructor(
    private readonly database: Database,
    private readonly events: HookEvents,
    private readonly settling: HookSettling,
    private readonly report: HookReport,
    lookout: Lookout,
  ) {
    this.leases = new LeaseKeeper(database, (error) => this.warn(error));
    this.watch = lookout.watch<boolean>({
      sql: anyDueSql,
      act: async (isAny) => {
        await this.giveBackUndone();
        if (isAny) await this.startLines();
      },
      report: (error) => this.warn(error),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
    await Promise.all(this.lines.values());
    await this.leases.stop();
  }

  private async startLines(): Promise<void> {
    this.startLine(LOST, () => leaseLostRequest(this.database));
    const waiting = await findWaitingSources(this.database);
    const before = new Set(this.passedOver);
    this.passedOver.push(...waiting.filter((sourceId) => !before.has(sourceId) && !this.lines.has(sourceId)));
    this.fillLines();
  }

  /**
   * Where more sources wait than there are lines for, a line ends with its round, and the source waits behind the
   * others.
   */
  private fillLines(): void {
    while (this.lines.size < MAX_LINES && !this.watch.stopping) {
      const sourceId = this.passedOver.shift();
      if (sourceId === undefined) return;
      this.startLine(sourceId, () => leaseWaitingRequests(sourceId, this.database));
    }
  }

  private startLine(name: string, begin: () => Promise<HookRequest[]>): void {
    if (this.lines.has(name) || this.watch.stopping) return;
    const line = this.processAll(name, begin)
      .catch((error: unknown) => this.warn(error))
      .then((end) => {
        this.lines.delete(name);
        if (end === 'gave_way') this.passedOver.push(name);
        this.fillLines();
      });
    this.lines.set(name, line);
  }

  private async processAll(name: string, begin: () => Promise<HookRequest[]>): Promise<'done' | 'gave_way'> {
    while (!this.watch.stopping) {
      const requests = await begin();
      if (requests.length === 0) break;
      await this.leases.keepDuring(requests, () => this.process(requests));
      if (name !== LOST && this.passedOver.length > 0) return 'gave_way';
    }
    return 'done';
  }

  /**
   * What PostgreSQL, or the sandbox, could not do now costs no lease: it does not tell of a request that kills workers.
   */
  private async process(requests: readonly HookRequest[]): Promise<void> {
    try {
      await this.processLeased(requests);
    } catch (error) {
      const isPassing = mayPass(error) || (error instanceof Problem && error.status >= 500);
      // What took too long would do so again: then each request goes alone.
      if (isPassing && !isCancelled(error))
        this.undone.push(...requests.map(({ id, lease }) => ({ id, lease })));
      throw error;
    }
  }

  /** Of those whose lease has not run out: they are leased again. */
  private async giveBackUndone(): Promise<void> {
    if (this.undone.length === 0) return;
    const undone = this.undone.splice(0);
    try {
      await giveLeasesBack(undone, this.database);
    } catch (error) {
      this.undone.push(...undone);
      throw error;
    }
  }

  private async processLeased(requests: readonly HookRequest[]): Promise<void> {
    const outcomes = await this.makeEvents(requests);
    const made = outcomes.filter((outcome): outcome is MadeEvents => outcome.failure === undefined);
    if (made.length > 0) await this.store(made);
    for (const outcome of outcomes) if (outcome.failure !== undefined) await this.fail(outcome);
    // Last: what is given back may be another worker's by the time that something fails here.
    const left = requests.slice(outcomes.length);
    if (left.length > 0) await giveLeasesBack(left, this.database);
  }

  /**
   * One after the other: who makes events by slow code has one thread of the sandbox at most.
   * @returns of the first ones
   */
  private async makeEvents(requests: readonly HookRequest[]): Promise<HookOutcome[]> {
    const end = performance.now() + ROUND_MS;
    const outcomes: HookOutcome[] = [];
    for (const request of requests) {
      if (outcomes.length > 0 && (performance.now() > end || this.watch.stopping)) break;
      outcomes.push(await this.events.of(request));
    }
    return outcomes;
  }

  /** What PostgreSQL refuses is found by storing each alone. */
  private async store(made: readonly MadeEvents[]): Promise<void> {
    try {
      for (const settled of await this.settling.storeAll(made)) this.report.stored(settled);
    } catch (error) {
      const [only] = made;
      if (!refusesValues(error) || only === undefined) throw error;
      if (made.length > 1) for (const one of made) await this.store([one]);
      else await this.fail(this.events.notStorable(only));
    }
  }

  private async fail(outcome: FailedHook): Promise<void> {
    const end = await this.settling.fail(outcome);
    if (end === 'waits') this.report.failed(outcome);
    if (end === 'refused') await this.storeRest(outcome);
  }

  /**
   * Of a request that may not be kept: nobody can run it again, so what is right of it is stored although some is not.
   */
  private async storeRest(failed: FailedHook): Promise<void> {
    const { request, source, failure, checked = NOTHING } = failed;
    if (source === undefined) return;
    const notes = await this.settling.notesOfOthers(failed);
    const settled = await this.settleRest({ request, source, checked });
    for (const one of settled) this.report.stored(one);
    if (settled.length > 0) this.report.failed({ request, source, failure, notes });
  }

  private async settleRest(rest: MadeEvents): Promise<SettledHook[]> {
    try {
      return await this.settling.storeAll([rest]);
    } catch (error) {
      if (!refusesValues(error)) throw error;
      return this.settling.storeAll([{ ...rest, checked: NOTHING }]);
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`Webhooks are processed later: ${String(error)}`);
  }
}
