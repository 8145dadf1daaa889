import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Database } from '../../platform/database/database';
import { mayPass, refusesValues } from '../../platform/database/failure';
import { Problem } from '../../platform/http/problems/problem';
import {
  anyDueSql,
  beginFirstTurns,
  beginLostTurn,
  findWaitingSources,
  giveTurnsBack,
  type HookRequest,
} from '../requests/hook-turns';
import { HeldTurns } from './held-turns';
import { type FailedHook, HookEvents, type HookOutcome, type MadeEvents } from './hook-events';
import { HookReport } from './hook-report';
import { HookSettling } from './settle-hooks';

/** Sources whose requests are in hand at a time, each with those of one turn. */
const MAX_LINES = 50;
/** After that a turn takes up nothing more: what has been made is stored, however slow the code is. */
const TURN_MS = 2_000;
/** The line of requests whose turns did not end, of all sources. */
const LOST = 'lost';

/**
 * Makes events of the requests that others have posted. A request waits in PostgreSQL; whoever looks first has its turn,
 * and a turn whose process is gone is given to another. Each source has a line of its own: slow code holds up its own
 * requests.
 */
@Injectable()
export class HookProcessor implements OnModuleDestroy {
  private readonly logger = new Logger(HookProcessor.name);
  private readonly watch: Watch;
  private readonly lines = new Map<string, Promise<void>>();
  private readonly held: HeldTurns;
  /** The source whose line began last. */
  private lastBegun = '';
  /** Whether sources wait that have no line. */
  private passesOver = false;

  constructor(
    private readonly database: Database,
    private readonly events: HookEvents,
    private readonly settling: HookSettling,
    private readonly report: HookReport,
    lookout: Lookout,
  ) {
    this.held = new HeldTurns(database, (error) => this.warn(error));
    this.watch = lookout.watch<boolean>({
      sql: anyDueSql,
      act: async (isAny) => isAny && this.startLines(),
      report: (error) => this.warn(error),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
    await Promise.all(this.lines.values());
    await this.held.stop();
  }

  /** Where more sources wait than there are lines for, each line ends with its turn, and the next look goes on behind. */
  private async startLines(): Promise<void> {
    this.startLine(LOST, () => beginLostTurn(this.database));
    const waiting = await findWaitingSources(this.database);
    for (const sourceId of goingOnBehind(this.lastBegun, waiting)) {
      if (this.lines.has(sourceId)) continue;
      if (this.lines.size >= MAX_LINES || this.watch.stopping) break;
      this.startLine(sourceId, () => beginFirstTurns(sourceId, this.database));
      this.lastBegun = sourceId;
    }
    this.passesOver = waiting.some((sourceId) => !this.lines.has(sourceId));
  }

  private startLine(name: string, begin: () => Promise<HookRequest[]>): void {
    if (this.lines.has(name) || this.watch.stopping) return;
    const line = this.processAll(begin)
      .catch((error: unknown) => this.warn(error))
      .finally(() => this.lines.delete(name));
    this.lines.set(name, line);
  }

  private async processAll(begin: () => Promise<HookRequest[]>): Promise<void> {
    let requests: HookRequest[];
    do {
      requests = await begin();
      await this.held.during(requests, () => this.process(requests));
    } while (requests.length > 0 && !this.passesOver && !this.watch.stopping);
  }

  /** What PostgreSQL, or the sandbox, could not do now costs no turn: it does not tell of a request that kills workers. */
  private async process(requests: readonly HookRequest[]): Promise<void> {
    try {
      await this.processTurn(requests);
    } catch (error) {
      if (mayPass(error) || (error instanceof Problem && error.status >= 500)) await this.giveBack(requests);
      throw error;
    }
  }

  /** Of those whose turn it still is; the next look begins them again. */
  private async giveBack(requests: readonly HookRequest[]): Promise<void> {
    try {
      await giveTurnsBack(requests, this.database);
    } catch {
      // May stop here: the turns end by themselves.
    }
  }

  private async processTurn(requests: readonly HookRequest[]): Promise<void> {
    const outcomes = await this.makeEvents(requests);
    const made = outcomes.filter((outcome): outcome is MadeEvents => outcome.failure === undefined);
    if (made.length > 0) await this.store(made);
    for (const outcome of outcomes) if (outcome.failure !== undefined) await this.fail(outcome);
    // Last: what is given back may be another worker's by the time that something fails here.
    const left = requests.slice(outcomes.length);
    if (left.length > 0) await giveTurnsBack(left, this.database);
  }

  /** One after the other: who makes events by slow code has one thread of the sandbox at most. @returns of the first ones */
  private async makeEvents(requests: readonly HookRequest[]): Promise<HookOutcome[]> {
    const end = performance.now() + TURN_MS;
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
    if (await this.settling.fail(outcome)) this.report.failed(outcome);
  }

  private warn(error: unknown): void {
    this.logger.warn(`Webhooks are processed later: ${String(error)}`);
  }
}

/** In the order of the ids, as they are given. */
function goingOnBehind(lastId: string, ids: readonly string[]): string[] {
  const behind = ids.filter((id) => id > lastId);
  return [...behind, ...ids.slice(0, ids.length - behind.length)];
}
