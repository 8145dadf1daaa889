import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database';
import { ThrottledWarning } from '../../../platform/logging/throttled-warning';
import type { DeliveryOutcome } from './delivery-outcome';
import { withLogUnlessRefused } from './record-outcomes';

/**
 * Tries of this process that are over but not committed; from then on nothing is sent. A crash has all of them made
 * again, so it is no more than sending needs to go on while a group is gathered and another one is committed.
 */
const MAX_UNRECORDED = 200;
/** This many are written without waiting for more. */
const FULL_GROUP = MAX_UNRECORDED / 2;
/** What one statement takes at most. There can be more when many destinations answer at once. */
const MAX_GROUP = 200;
/** How long a group gathers: long enough to share a commit, short enough to lose little in a crash. */
const GATHER_MS = 5;
/** How long one gathers of which nobody waits for the record, until it is worth a commit. */
const LONG_GATHER_MS = 50;
/** This many are: from here on one more makes the statement hardly any cheaper. */
const WORTH_A_COMMIT = 20;
/** While PostgreSQL is away, outcomes wait here. What was sent is not sent again for want of a record. */
const OUTAGE_RETRY_MS = 250;
/** Made once: one of each group would hold the group, see `lean-client.ts`. */
const nothing = (): void => undefined;

/** Outcomes that are written together. */
class OutcomeGroup {
  readonly outcomes: DeliveryOutcome[] = [];
  commit: () => void = nothing;
  readonly committed = new Promise<void>((resolve) => (this.commit = resolve));
  /** Whether it is worth a commit, or something waits for one of them to be recorded. */
  private isDue = false;
  private onDue: () => void = nothing;

  add(outcome: DeliveryOutcome, isAwaited: boolean): void {
    this.outcomes.push(outcome);
    if (this.isDue || !(isAwaited || this.outcomes.length >= WORTH_A_COMMIT)) return;
    this.isDue = true;
    this.onDue();
  }

  /** Lets it grow; what has begun to wait goes with the first that is awaited. */
  async gather(): Promise<void> {
    if (this.outcomes.length >= FULL_GROUP) return;
    await delay(GATHER_MS);
    if (this.isDue) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONG_GATHER_MS - GATHER_MS);
      const onDue = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.onDue = onDue; // Not as it is made: see `lean-client.ts`.
    });
  }
}

/** Records outcomes in groups: one statement and one commit for all that came within milliseconds. */
@Injectable()
export class OutcomeWriter {
  private readonly logger = new Logger(OutcomeWriter.name);
  private readonly outage = new ThrottledWarning(this.logger);
  private readonly graceMs: number;
  private readonly groups: OutcomeGroup[] = [];
  private unrecorded = 0;
  private writing = false;
  private onRoom = new Set<() => void>();

  constructor(
    private readonly database: Database,
    config: Config,
  ) {
    this.graceMs = config.delivery.graceMs;
  }

  /** Whether so many outcomes wait to be committed that no further delivery may be sent. */
  get isFull(): boolean {
    return this.unrecorded >= MAX_UNRECORDED;
  }

  /** Calls `resume`, once, when it is full no more. */
  whenRoom(resume: () => void): void {
    this.onRoom.add(resume);
  }

  /**
   * Resolves once the outcome is committed.
   * @param isAwaited whether something has to wait until then, as the person's next delivery does where there is an
   * order
   */
  record(outcome: DeliveryOutcome, isAwaited = outcome.delivery.person !== undefined): Promise<void> {
    this.unrecorded += 1;
    let group = this.groups.at(-1);
    if (group === undefined || group.outcomes.length === MAX_GROUP)
      this.groups.push((group = new OutcomeGroup()));
    group.add(outcome, isAwaited);
    if (!this.writing) void this.writeAll();
    return group.committed;
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    for (let group = this.groups[0]; group !== undefined; group = this.groups[0]) {
      await group.gather();
      this.groups.shift();
      await this.write(group.outcomes);
      this.unrecorded -= group.outcomes.length;
      group.commit();
      if (!this.isFull) this.resumeAll();
    }
    this.writing = false;
  }

  private resumeAll(): void {
    const resumed = this.onRoom;
    this.onRoom = new Set();
    for (const resume of resumed) resume();
  }

  private async write(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    for (;;) {
      try {
        await withLogUnlessRefused(
          (record) => record(outcomes, this.graceMs, this.database),
          (error) => this.logger.error(`Tries are not logged: ${String(error)}`),
        );
        return this.outage.over('Outcomes are recorded again');
      } catch (error) {
        this.outage.warn(`Outcomes wait for PostgreSQL: ${String(error)}`);
        await delay(OUTAGE_RETRY_MS);
      }
    }
  }
}
