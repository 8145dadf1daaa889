import { Inject, Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { BatchLimits } from '../../connectors/connector';
import { Config } from '../../platform/config/config';
import { lockNameSql } from '../../platform/database/advisory-lock';
import { Database, type Tx } from '../../platform/database/database';
import { WorkerPresence } from '../presence/worker-presence';
import { claimBatch, claimBatchToProbe, type ClaimedBatch } from '../ledger/claim-batch';
import { closeBatch } from '../ledger/close-batch';
import { dissolveBatch } from '../ledger/dissolve-batch';
import { extendBatch } from '../ledger/extend-batch';
import { isFree, leaseMsFor } from '../ledger/lease';
import { pruneBatches } from '../ledger/prune-batches';
import { reopenBatches } from '../ledger/reopen-batches';
import { BatchPlanner, type PlannedBatch } from './plan-batches';
import { PendingFrom } from '../ledger/pending-from';
import { prunedStatement } from '../ledger/pruned-statement';

export interface DueBatch {
  readonly id: string;
  readonly destinationId: string;
  readonly eventCount: number;
  readonly tries: number;
}

interface WaitingRow {
  readonly id: string;
  readonly eventId: string;
  readonly sourceId: string;
  readonly bytes: number;
  readonly batchId: string | null;
  readonly nowMs: number;
}

/** Where deliveries go that were in a batch and are replayed. */
export type Returning = 'to their batch' | 'to another batch';

/** Batches of a destination that are closed and not sent: more would only move its backlog to another table. */
const MAX_UNSENT = 4;
/** As long as all of them together are no more than one full batch, as when there are thousands of sources. */
const MAX_UNSENT_SMALL = 100;
/** Rows read at a time: what bounds the memory of closing. */
const PAGE = 2_000;
/** Deliveries looked at beyond a full batch, so that others can fill up beside it. */
const LOOK_AHEAD = 1_000;

const lockSql = {
  name: 'lock_batching',
  text: `select pg_try_advisory_xact_lock(${lockNameSql("'delivery_batch ' || $1")}) as locked`,
};
const countUnsentSql = {
  name: 'count_unsent_batches',
  text: `
  select count(*)::int as batches, coalesce(sum(cardinality(delivery_ids)), 0)::int as events
  from delivery_batch where destination_id = $1 and state = 'closed'`,
};
// due_at is infinite for what is in a batch already. What is under way by itself, since its destination got no batches a
// moment ago, is held, or is that of a job until it is due. `limit 1` keeps the events a lookup each.
const findWaitingSql = prunedStatement(
  'find_waiting_deliveries',
  (fromId) => `
  declare waiting_deliveries no scroll cursor for
  select d.id, d.event_id as "eventId", coalesce(e.source_id::text, 'notices') as "sourceId",
    coalesce(octet_length(coalesce(d.payload, e.payload)::text), 0) as bytes,
    (select b.id from delivery_batch b where b.id = d.batch_id) as "batchId",
    (extract(epoch from now()) * 1000)::float8 as "nowMs"
  from (
    select * from delivery
    where destination_id = $1 and state = 'pending' and id >= ${fromId} and due_at <= now()
      and ${isFree({ leaseMs: '$3', lost: '$4' })}
    order by due_at limit $2
  ) d
  left join lateral (
    select event.source_id, event.payload from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id
    limit 1
  ) e on true
  order by d.id`,
);
const readWaitingSql = { name: 'read_waiting_deliveries', text: `fetch ${PAGE} from waiting_deliveries` };
const closeWaitingSql = { name: 'close_waiting_deliveries', text: 'close waiting_deliveries' };
const findDueSql = {
  name: 'find_due_batches',
  text: `
  select id, destination_id as "destinationId", cardinality(delivery_ids) as "eventCount", tries
  from delivery_batch
  where state = 'closed' and (due_at <= now() or leased_by = any($2::int[])) and destination_id = any($1::uuid[])
  order by due_at limit 100`,
};
const findDueOfSql = {
  name: 'find_due_batches_of',
  text: `
  select id from delivery_batch where state = 'closed' and due_at <= now() and destination_id = any($1::uuid[])`,
};
/** Batches in PostgreSQL: closes, claims and ends them. */
@Injectable()
export class BatchStore {
  constructor(
    private readonly database: Database,
    private readonly presence: WorkerPresence,
    private readonly pendingFrom: PendingFrom,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Closes the batches of a destination that are full or old enough. Returns how many. */
  async close(destinationId: string, limits: BatchLimits, returning: Returning): Promise<number> {
    return this.database.transaction(async (tx) => {
      // One process at a time, or the events would be split into many small batches.
      const [held] = await tx.query<{ locked: boolean }>(lockSql, [destinationId]);
      if (held?.locked !== true) return 0;
      const room = await this.room(destinationId, limits, tx);
      const planned =
        room === 0 ? [] : (await this.plan(destinationId, limits, returning, tx)).slice(0, room);
      for (const { sourceId, hourMs, deliveryIds, bytes } of planned) {
        const batch = { id: uuidv7(), destinationId, sourceId, hour: new Date(hourMs), deliveryIds, bytes };
        await closeBatch(batch, tx);
      }
      return planned.length;
    });
  }

  /** Batches of these destinations that may be tried now. */
  async findDue(destinationIds: readonly string[]): Promise<DueBatch[]> {
    return this.database.query<DueBatch>(findDueSql, [destinationIds, this.presence.lost]);
  }

  /** Takes a batch; undefined when it is not due (any more). */
  async claim(batchId: string): Promise<ClaimedBatch | undefined> {
    return claimBatch(batchId, this.presence, this.database);
  }

  /** Takes the batch that waits longest, due or not; undefined when there is none that nobody holds. */
  async claimProbe(destinationId: string): Promise<ClaimedBatch | undefined> {
    return claimBatchToProbe(destinationId, this.presence, this.database);
  }

  /** Whether any batch of a destination is closed and not sent, whoever holds it. */
  async hasUnsent(destinationId: string): Promise<boolean> {
    const [unsent] = await this.database.query<{ batches: number }>(countUnsentSql, [destinationId]);
    return unsent !== undefined && unsent.batches > 0;
  }

  /** Makes the batch due after this time: keeps it in hand, or gives it back. */
  async makeDueIn(batchId: string, ms: number): Promise<void> {
    await extendBatch(batchId, ms, { workerId: this.presence.id, tx: this.database });
  }

  /**
   * Lets the deliveries of batches that are due go, each on its own, because the connectors of these destinations send
   * no batches any more. Returns the batches.
   */
  async dissolve(destinationIds: readonly string[]): Promise<string[]> {
    const due = await this.database.query<{ id: string }>(findDueOfSql, [destinationIds]);
    for (const { id } of due) await dissolveBatch(id, this.database);
    return due.map(({ id }) => id);
  }

  /** Forgets batches as old as their deliveries, and those of deleted destinations. */
  async prune(): Promise<void> {
    await pruneBatches(this.config.delivery.retentionDays, this.database);
  }

  /** How many batches may be closed now. */
  private async room(destinationId: string, { maxEvents }: BatchLimits, tx: Tx): Promise<number> {
    const [unsent] = await tx.query<{ batches: number; events: number }>(countUnsentSql, [destinationId]);
    const { batches, events } = unsent ?? { batches: 0, events: 0 };
    return Math.max((events < maxEvents ? MAX_UNSENT_SMALL : MAX_UNSENT) - batches, 0);
  }

  private async plan(
    destinationId: string,
    limits: BatchLimits,
    returning: Returning,
    tx: Tx,
  ): Promise<PlannedBatch[]> {
    const planner = new BatchPlanner(limits);
    const replayed = new Map<string, string[]>();
    const limit = limits.maxEvents + LOOK_AHEAD;
    let seen = 0;
    let nowMs = 0;
    for await (const row of this.waiting(destinationId, limit, tx)) {
      seen += 1;
      nowMs = row.nowMs;
      const again = row.batchId === null ? undefined : replayed.get(row.batchId);
      if (row.batchId === null || returning === 'to another batch') planner.add(row);
      else if (again === undefined) replayed.set(row.batchId, [row.id]);
      else again.push(row.id);
    }
    await reopenBatches(replayed, tx);
    return planner.plan({ nowMs, isCrowded: seen === limit });
  }

  private async *waiting(destinationId: string, limit: number, tx: Tx): AsyncIterable<WaitingRow> {
    const held = [leaseMsFor(this.config.delivery.timeoutMs), this.presence.lost];
    await tx.query(findWaitingSql(this.pendingFrom.id), [destinationId, limit, ...held]);
    for (;;) {
      const rows = await tx.query<WaitingRow>(readWaitingSql);
      yield* rows;
      if (rows.length < PAGE) break;
    }
    await tx.query(closeWaitingSql);
  }
}
