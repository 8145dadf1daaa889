import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { BatchLimits } from '../../connectors/connector';
import { Config } from '../../platform/config/config';
import { lockKeySql } from '../../platform/database/transactions/advisory-lock';
import { Database, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { WorkerPresence } from '../presence/worker-presence';
import { closeBatch } from '../ledger/batches/close-batch';
import { countUnsent } from '../ledger/batches/count-unsent';
import { reopenBatches } from '../ledger/batches/reopen-batches';
import { isFree, leaseMsFor } from '../ledger/claiming/lease';
import { PendingFrom } from '../ledger/pending-from';
import { prunedStatement } from '../ledger/pruned-statement';
import { BatchPlanner, type PlannedBatch } from './batch-planner';

interface WaitingRow {
  readonly id: string;
  readonly eventId: string;
  readonly sourceId: string;
  readonly bytes: number;
  readonly batchId: string | null;
  readonly nowMs: number;
}

/** Where deliveries go that were in a batch and are replayed. */
type Returning = 'to their batch' | 'to another batch';

/**
 * Batches of a destination that are closed and not tried, and as many that are: more would only move its backlog to
 * another table.
 */
const MAX_UNSENT = 4;
/** As long as all of them together have few events, as when batches are small or there are thousands of sources. */
const MAX_UNSENT_SMALL = 100;
/** That many of them, or those of one full batch. */
const FEW_EVENTS = 10_000;
/** Rows read at a time: what bounds the memory of closing. */
const PAGE = 2_000;
/** Deliveries looked at beyond full batches, so that others can fill up beside it. */
const LOOK_AHEAD = 1_000;

const lockSql = prepared('lock_batching')`
  select pg_try_advisory_xact_lock(${lockKeySql("'delivery_batch ' || $1")}) as locked`;
/** What a batch of notices has for its source. They are stored with their deliveries, some no longer than it takes. */
const NOTICES = 'notices';
// due_at is infinite for what is in a batch already. Notices that come back go to another batch: theirs may not be
// complete any more. What is under way by itself, since its destination got no batches a
// moment ago, is held, or is that of a job until it is due. `limit 1` keeps the events a lookup each.
const findWaitingSql = prunedStatement(
  'find_waiting_deliveries',
  (fromId) => `
  declare waiting_deliveries no scroll cursor for
  select d.id, d.event_id as "eventId", coalesce(e.source_id::text, '${NOTICES}') as "sourceId",
    coalesce(octet_length(coalesce(d.payload, e.payload)::text), 0) as bytes,
    (select b.id from delivery_batch b where b.id = d.batch_id and b.source_id <> '${NOTICES}') as "batchId",
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
const readWaitingSql = prepared('read_waiting_deliveries')`fetch ${PAGE} from waiting_deliveries`;
const closeWaitingSql = prepared('close_waiting_deliveries')`close waiting_deliveries`;
const findWithWaitingSql = prunedStatement(
  'find_destinations_with_waiting',
  (fromId) => `
  select wanted.id from unnest($1::uuid[]) as wanted (id)
  cross join lateral (
    select from delivery d
    where d.destination_id = wanted.id and d.state = 'pending' and d.id >= ${fromId} and d.due_at <= now()
    order by d.due_at limit 1
  ) d`,
);
/** Closes batches: what waits for a destination becomes some that are full or old enough. */
@Injectable()
export class BatchCloser {
  constructor(
    private readonly database: Database,
    private readonly presence: WorkerPresence,
    private readonly pendingFrom: PendingFrom,
    private readonly config: Config,
  ) {}

  /** Closes the batches of a destination that are full or old enough. Returns how many. */
  async closeBatches(destinationId: string, limits: BatchLimits, returning: Returning): Promise<number> {
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

  /** Which of these destinations have deliveries that wait for a batch. */
  async withWaiting(destinationIds: readonly string[]): Promise<Set<string>> {
    const statement = findWithWaitingSql(this.pendingFrom.id);
    const rows = await this.database.query<{ id: string }>(statement, [destinationIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** How many batches may be closed now. */
  private async room(destinationId: string, { maxEvents }: BatchLimits, tx: Tx): Promise<number> {
    const { batches, events, triedEvents } = await countUnsent(destinationId, tx);
    if (triedEvents >= Math.max(maxEvents * MAX_UNSENT, FEW_EVENTS)) return 0;
    const max = events < Math.max(maxEvents, FEW_EVENTS) ? MAX_UNSENT_SMALL : MAX_UNSENT;
    return Math.max(max - batches, 0);
  }

  private async plan(
    destinationId: string,
    limits: BatchLimits,
    returning: Returning,
    tx: Tx,
  ): Promise<PlannedBatch[]> {
    const planner = new BatchPlanner(limits);
    const replayed = new Map<string, string[]>();
    const limit = Math.max(limits.maxEvents, FEW_EVENTS) + LOOK_AHEAD;
    let seen = 0;
    let nowMs = 0;
    for await (const row of this.waiting(destinationId, limit, tx)) {
      seen += 1;
      nowMs = row.nowMs;
      const again = row.batchId === null ? undefined : replayed.get(row.batchId);
      if (row.batchId === null || returning === 'to another batch') planner.addWaiting(row);
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
