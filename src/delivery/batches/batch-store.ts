import { Inject, Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { BatchLimits } from '../../connectors/connector';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { WorkerPresence } from '../presence/worker-presence';
import { rangeOf } from '../ledger/range-of';
import { BatchPlanner, type PlannedBatch } from './plan-batches';

/** A batch that this process works on until its lease ends. */
export interface ClaimedBatch {
  readonly id: string;
  readonly destinationId: string;
  readonly sourceId: string;
  readonly hour: Date;
  readonly eventCount: number;
  /** Of the events' JSON when it was closed. */
  readonly bytes: number;
  /** The first and the last of its deliveries, which it has in the order of their ids. */
  readonly firstId: string;
  readonly lastId: string;
}

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

/** How long others leave a batch to whoever works on it; renewed while the work goes on. */
export const LEASE_MS = 30_000;
/** Batches of a destination that are closed and not sent: more would only move its backlog to another table. */
const MAX_UNSENT = 4;
/** As long as all of them together are no more than one full batch, as when there are thousands of sources. */
const MAX_UNSENT_SMALL = 100;
/** Rows read at a time: what bounds the memory of closing. */
const PAGE = 2_000;
/** Deliveries looked at beyond a full batch, so that others can fill up beside it. */
const LOOK_AHEAD = 1_000;

const lock = {
  name: 'lock_batching',
  text: `select pg_try_advisory_xact_lock(hashtextextended('delivery_batch ' || $1, 0)) as locked`,
};
const countUnsent = {
  name: 'count_unsent_batches',
  text: `
  select count(*)::int as batches, coalesce(sum(cardinality(delivery_ids)), 0)::int as events
  from delivery_batch where destination_id = $1 and state = 'closed'`,
};
// due_at is infinite for what is in a batch already. `limit 1` keeps the events a lookup each.
const findWaiting = {
  name: 'find_waiting_deliveries',
  text: `
  declare waiting_deliveries no scroll cursor for
  select d.id, d.event_id as "eventId", coalesce(e.source_id::text, 'notices') as "sourceId",
    coalesce(octet_length(coalesce(d.payload, e.payload)::text), 0) as bytes,
    (select b.id from delivery_batch b where b.id = d.batch_id) as "batchId",
    (extract(epoch from now()) * 1000)::float8 as "nowMs"
  from (
    select * from delivery
    where destination_id = $1 and state = 'pending' and due_at < 'infinity'
    order by due_at limit $2
  ) d
  left join lateral (
    select event.source_id, event.payload from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id
    limit 1
  ) e on true
  order by d.id`,
};
const readWaiting = { name: 'read_waiting_deliveries', text: `fetch ${PAGE} from waiting_deliveries` };
const closeWaiting = { name: 'close_waiting_deliveries', text: 'close waiting_deliveries' };
const insertBatch = {
  name: 'insert_batch',
  text: `
  insert into delivery_batch (id, destination_id, source_id, hour, delivery_ids, bytes)
  values ($1, $2, $3, $4, $5::uuid[], $6)`,
};
const assign = {
  name: 'assign_to_batch',
  text: `
  update delivery set batch_id = $1, due_at = 'infinity'
  where id = any((select delivery_ids from delivery_batch where id = $1)::uuid[]) and id between $2 and $3
    and state = 'pending'`,
};
const assignAgain = {
  name: 'assign_to_batch_again',
  text: `
  update delivery set due_at = 'infinity'
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending'`,
};
// Somebody replays deliveries of a batch that is through: it is sent again, whole, so that it overwrites itself.
const reopen = {
  name: 'reopen_batches',
  text: `
  update delivery_batch set state = 'closed', due_at = now(), updated_at = now()
  where id = any($1::uuid[]) and state <> 'closed'`,
};
const findDue = {
  name: 'find_due_batches',
  text: `
  select id, destination_id as "destinationId", cardinality(delivery_ids) as "eventCount", tries
  from delivery_batch
  where state = 'closed' and (due_at <= now() or leased_by = any($2::int[])) and destination_id = any($1::uuid[])
  order by due_at limit 100`,
};
const claim = {
  name: 'claim_batch',
  text: `
  update delivery_batch set due_at = now() + $2 * interval '1 millisecond', leased_by = $3, tries = tries + 1,
    updated_at = now()
  where id = $1 and state = 'closed' and (due_at <= now() or leased_by = any($4::int[]))
  returning id, destination_id as "destinationId", source_id as "sourceId", hour,
    cardinality(delivery_ids) as "eventCount", bytes::float8 as bytes,
    delivery_ids[1] as "firstId", delivery_ids[cardinality(delivery_ids)] as "lastId"`,
};
const extend = {
  name: 'extend_batch',
  text: `
  update delivery_batch set due_at = now() + $2 * interval '1 millisecond'
  where id = $1 and state = 'closed' and (leased_by is null or leased_by = $3::int)`,
};
const findDueOf = {
  name: 'find_due_batches_of',
  text: `
  select id from delivery_batch where state = 'closed' and due_at <= now() and destination_id = any($1::uuid[])`,
};
const dissolve = {
  name: 'dissolve_batch',
  text: `
  with dissolved as (
    delete from delivery_batch where id = $1 and state = 'closed' and due_at <= now()
    returning delivery_ids, delivery_ids[1] as first_id, delivery_ids[cardinality(delivery_ids)] as last_id
  )
  update delivery set batch_id = null, due_at = now()
  where id = any((select delivery_ids from dissolved)::uuid[])
    and id between (select first_id from dissolved) and (select last_id from dissolved)
    and state = 'pending' and due_at = 'infinity'`,
};
const prune = {
  name: 'prune_batches',
  text: `
  delete from delivery_batch b
  where created_at < now() - $1 * interval '1 day'
    or (state = 'closed' and not exists (select from destination where id = b.destination_id))`,
};

/** Batches in PostgreSQL: closes, claims and ends them. */
@Injectable()
export class BatchStore {
  constructor(
    private readonly database: Database,
    private readonly presence: WorkerPresence,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** Closes the batches of a destination that are full or old enough. Answers how many. */
  async close(destinationId: string, limits: BatchLimits): Promise<number> {
    return this.database.transaction(async (tx) => {
      // One process at a time, or the events would be split into many small batches.
      const [held] = await tx.query<{ locked: boolean }>(lock, [destinationId]);
      if (held?.locked !== true) return 0;
      const room = await this.room(destinationId, limits, tx);
      const planned = room === 0 ? [] : (await this.plan(destinationId, limits, tx)).slice(0, room);
      for (const batch of planned) await this.insert(destinationId, batch, tx);
      return planned.length;
    });
  }

  /** Batches of these destinations that may be tried now. */
  async findDue(destinationIds: readonly string[]): Promise<DueBatch[]> {
    return this.database.query<DueBatch & Record<string, unknown>>(findDue, [
      destinationIds,
      this.presence.lost,
    ]);
  }

  /** Takes a batch; undefined when it is not due (any more). */
  async claim(batchId: string): Promise<ClaimedBatch | undefined> {
    const [batch] = await this.database.query<ClaimedBatch & Record<string, unknown>>(claim, [
      batchId,
      LEASE_MS,
      this.presence.id,
      this.presence.lost,
    ]);
    return batch;
  }

  /** Makes the batch due in so long: keeps it in hand, or gives it back. */
  async makeDueIn(batchId: string, ms: number): Promise<void> {
    await this.database.query(extend, [batchId, ms, this.presence.id]);
  }

  /**
   * Lets the deliveries of batches that are due go, each on its own, because the connectors of these destinations send
   * no batches any more. Answers the batches.
   */
  async dissolve(destinationIds: readonly string[]): Promise<string[]> {
    const due = await this.database.query<{ id: string }>(findDueOf, [destinationIds]);
    for (const { id } of due) await this.database.query(dissolve, [id]);
    return due.map(({ id }) => id);
  }

  /** Forgets batches as old as their deliveries, and those of deleted destinations. */
  async prune(): Promise<void> {
    await this.database.query(prune, [this.config.env.CDP_DELIVERY_RETENTION_DAYS]);
  }

  /** How many batches may be closed now. */
  private async room(destinationId: string, { maxEvents }: BatchLimits, tx: Tx): Promise<number> {
    const [unsent] = await tx.query<{ batches: number; events: number }>(countUnsent, [destinationId]);
    const { batches, events } = unsent ?? { batches: 0, events: 0 };
    return Math.max((events < maxEvents ? MAX_UNSENT_SMALL : MAX_UNSENT) - batches, 0);
  }

  private async plan(destinationId: string, limits: BatchLimits, tx: Tx): Promise<PlannedBatch[]> {
    const planner = new BatchPlanner(limits);
    const replayed = new Map<string, string[]>();
    const limit = limits.maxEvents + LOOK_AHEAD;
    let seen = 0;
    let nowMs = 0;
    for await (const row of this.waiting(destinationId, limit, tx)) {
      seen += 1;
      nowMs = row.nowMs;
      const again = row.batchId === null ? undefined : replayed.get(row.batchId);
      if (row.batchId === null) planner.add(row);
      else if (again === undefined) replayed.set(row.batchId, [row.id]);
      else again.push(row.id);
    }
    await this.reopen(replayed, tx);
    return planner.plan({ nowMs, isCrowded: seen === limit });
  }

  private async *waiting(destinationId: string, limit: number, tx: Tx): AsyncIterable<WaitingRow> {
    await tx.query(findWaiting, [destinationId, limit]);
    for (;;) {
      const rows = await tx.query<WaitingRow & Record<string, unknown>>(readWaiting);
      yield* rows;
      if (rows.length < PAGE) break;
    }
    await tx.query(closeWaiting);
  }

  private async insert(destinationId: string, batch: PlannedBatch, tx: Tx): Promise<void> {
    const id = uuidv7();
    const { sourceId, hourMs, deliveryIds, bytes } = batch;
    await tx.query(insertBatch, [id, destinationId, sourceId, new Date(hourMs), deliveryIds, bytes]);
    await tx.query(assign, [id, ...rangeOf(deliveryIds)]);
  }

  private async reopen(replayed: ReadonlyMap<string, readonly string[]>, tx: Tx): Promise<void> {
    if (replayed.size === 0) return;
    await tx.query(reopen, [[...replayed.keys()]]);
    for (const ids of replayed.values()) await tx.query(assignAgain, [ids, ...rangeOf(ids)]);
  }
}
