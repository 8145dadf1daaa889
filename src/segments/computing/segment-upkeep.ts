import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { keepErasuresOut } from '../../events/erasure-gate';
import { Database, type Tx } from '../../platform/database/database';
import { anyKeepingSql, keepTraits } from '../computed-traits/keeping/keep-traits';
import { ActiveSegments } from '../definitions/active-segments';
import { computeBlocks } from './compute-blocks';
import { discardMembers } from './discard-members';
import { DUE_PEOPLE, reevaluateDue } from '../membership/reevaluate-due';
import { reevaluateGroup } from '../membership/reevaluate-group';
import { StepSize } from '../membership/step-size';
import { foldCounts } from '../membership/member-counts';
import type { MembershipChange, PersonChange } from '../membership/person-change';
import { recordFailure } from './record-failure';
import { claimTask, type SegmentTask, type TaskKind } from './segment-tasks';
import { settleMembers } from './settle-members';
import { startComputing } from './start-computing';
import { StepLengths } from './step-lengths';
import { switchGeneration } from './switch-generation';

/** What one step of the upkeep did. */
interface UpkeepStep {
  /** People who entered or exited by it, or whose values changed. */
  readonly changes: readonly PersonChange[];
  /** Whether there was anything to do, so that there may be more. */
  readonly busy: boolean;
}

const ALL_KINDS: readonly TaskKind[] = ['start', 'compute', 'switch', 'settle', 'discard'];
/** Transactions that share a computation: PostgreSQL works on each with one core. */
const WORKERS = 2;
/** How often to put counts together. */
const FOLD_EVERY_MS = 20_000;
/** How often to look whether another process has computed a segment. */
const POLL_MS = 5;

/**
 * The first of its index. Whether any is due would be looked for in all rows, where PostgreSQL takes most to be due.
 */
const firstDueSql = (table: string): string =>
  `(select due_at from ${table} where due_at is not null order by due_at limit 1)`;

/** When somebody is due for whom a window passes, the first of all. */
export const oldestDueSql = `least(${firstDueSql('segment_member')}, ${firstDueSql('computed_value')})`;

/**
 * Whether there may be anything to do: a task, somebody for whom a window has passed, a group whose traits have
 * changed, a computed trait whose values are to be kept or not any more.
 */
export const anyUpkeepSql = `
  select exists (select from segment_task where run_after <= statement_timestamp())
    or coalesce(${oldestDueSql} <= statement_timestamp(), false)
    or exists (select from group_evaluation where run_after <= statement_timestamp())
    or ${anyKeepingSql}`;

/** What is done for segments in the background, by any number of processes at once. */
@Injectable()
export class SegmentUpkeep {
  private readonly lengths = new StepLengths();
  private readonly dueSize = new StepSize(DUE_PEOPLE);
  private firstKind = 0;
  private foldedAt = 0;

  constructor(
    private readonly database: Database,
    private readonly segments: ActiveSegments,
  ) {}

  /**
   * Does one step inside the caller's transaction: of people for whom a window has passed, of members of a group whose
   * traits have changed, of computed traits that are kept, or of a task. Each goes first in its round, so that none waits for
   * the end of another.
   */
  async step(tx: Tx): Promise<UpkeepStep> {
    await keepErasuresOut(tx);
    await this.foldCounts(tx);
    const kinds = [
      () => this.workOnTask(tx),
      () => reevaluateDue(this.segments, this.dueSize, tx),
      () => reevaluateGroup(this.segments, tx),
      () => this.keepTraits(tx),
    ];
    this.firstKind = (this.firstKind + 1) % kinds.length;
    for (const makeStep of [...kinds.slice(this.firstKind), ...kinds.slice(0, this.firstKind)]) {
      const step = await makeStep();
      if (step.busy) return step;
    }
    return { changes: [], busy: false };
  }

  /** Puts counts of members together, every few seconds. */
  async foldCounts(tx: Tx): Promise<void> {
    if (performance.now() - this.foldedAt < FOLD_EVERY_MS) return;
    this.foldedAt = performance.now();
    await foldCounts(tx);
  }

  /** Computes one segment until it is live or the time is up; never later than a step after that. */
  async computeNow(segmentId: string, budgetMs: number): Promise<void> {
    const deadline = performance.now() + budgetMs;
    await Promise.all(Array.from({ length: WORKERS }, () => this.computeUntil(segmentId, deadline)));
  }

  private async keepTraits(tx: Tx): Promise<UpkeepStep> {
    return { changes: [], busy: await keepTraits(this.segments, tx) };
  }

  private async workOnTask(tx: Tx): Promise<UpkeepStep> {
    const task = await claimTask(tx, ALL_KINDS);
    return task === undefined
      ? { changes: [], busy: false }
      : { changes: await this.workOn(task, tx), busy: true };
  }

  private async computeUntil(segmentId: string, deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      const state = await this.database.transaction(async (tx) => {
        await keepErasuresOut(tx);
        const task = await claimTask(tx, ['start', 'compute', 'switch'], segmentId);
        if (task !== undefined) await this.workOn(task, tx);
        return task === undefined ? this.stateOf(segmentId, tx) : 'worked';
      });
      // Another process has the task, or it failed and waits for its next try.
      if (state === 'computing') await delay(POLL_MS);
      else if (state !== 'worked') return;
    }
  }

  private async stateOf(segmentId: string, tx: Tx): Promise<string | undefined> {
    const [segment] = await tx.query<{ state: string }>('select state from segment where id = $1', [
      segmentId,
    ]);
    return segment?.state;
  }

  /** A task that fails leaves nothing behind but a note of it; the transaction goes on. */
  private async workOn(task: SegmentTask, tx: Tx): Promise<readonly MembershipChange[]> {
    await tx.query('savepoint segment_task');
    try {
      return await this.perform(task, tx);
    } catch (error) {
      // Where the connection itself is gone, this rejects too and the caller learns of it.
      await tx.query('rollback to savepoint segment_task');
      await recordFailure(task, error, tx);
      return [];
    }
  }

  private async perform(task: SegmentTask, tx: Tx): Promise<readonly MembershipChange[]> {
    switch (task.kind) {
      case 'start':
        await startComputing(task, tx);
        return [];
      case 'compute':
        await computeBlocks(task, this.segments.retentionDays, this.lengths, tx);
        return [];
      case 'switch':
        await switchGeneration(task, tx);
        return [];
      case 'settle':
        return settleMembers(task, tx);
      case 'discard':
        await discardMembers(task, tx);
        return [];
    }
  }
}
