import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { lowestAcceptedSql } from '../../events/inbox/inbox-lag';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** People for whom a process has just written something in a destination with an order. */
export interface HeadHint {
  readonly destinationId: string;
  /** See `personKey`. */
  readonly people: readonly string[];
  /** The highest of their positions; undefined where nothing needs to be waited for. */
  readonly position: bigint | undefined;
}

/** Looks at these people; called where the destination has its lane. */
type LookHere = (destinationId: string, people: readonly string[]) => void;

/** Other transactions that process what was accepted before take milliseconds. */
const PAUSE_MS = 20;
/** What is left for longer is found by the walk from person to person. */
const MAX_WAIT_SECONDS = 10;

const lowestSql = prepared('read_lowest_accepted')`
  select ${lowestAcceptedSql(String(MAX_WAIT_SECONDS))}::text as lowest`;

interface WaitingHint extends HeadHint {
  /** In milliseconds of `performance.now()`. */
  readonly until: number;
}

/** Names people to the lanes of this process as soon as nothing that was accepted before them waits to be processed. */
@Injectable()
export class HeadHints {
  private readonly logger = new Logger(HeadHints.name);
  private waiting: WaitingHint[] = [];
  private isWorking = false;
  private look: LookHere | undefined;

  constructor(private readonly database: Database) {}

  /** Deliveries are made by this process from now on. */
  lookHere(look: LookHere): void {
    this.look = look;
  }

  /** Returns at once. */
  give(hints: readonly HeadHint[]): void {
    if (this.look === undefined || hints.length === 0) return;
    const until = performance.now() + MAX_WAIT_SECONDS * 1_000;
    for (const hint of hints) this.waiting.push({ ...hint, until });
    if (!this.isWorking) void this.work(this.look);
  }

  /** Never rejects. */
  private async work(look: LookHere): Promise<void> {
    this.isWorking = true;
    try {
      while (this.waiting.length > 0) {
        const [row] = await this.database.query<{ lowest: string | null }>(lowestSql);
        this.release(row?.lowest ?? null, look);
        if (this.waiting.length > 0) await delay(PAUSE_MS);
      }
    } catch (error) {
      // May stop here: the walk from person to person finds them.
      this.logger.debug(`Heads are left to the sweeper: ${String(error)}`);
      this.waiting = [];
    }
    this.isWorking = false;
  }

  private release(lowest: string | null, look: LookHere): void {
    const isFree = ({ position }: HeadHint): boolean =>
      lowest === null || position === undefined || position <= BigInt(lowest);
    const free = this.waiting.filter(isFree);
    const now = performance.now();
    this.waiting = this.waiting.filter((hint) => !isFree(hint) && now < hint.until);
    for (const { destinationId, people } of free) look(destinationId, people);
  }
}
