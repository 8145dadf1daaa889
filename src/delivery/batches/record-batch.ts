import { Logger } from '@nestjs/common';
import type { Database, Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';
import { endBatch } from '../ledger/batches/end-batch';
import { lockBatches } from '../ledger/batches/lock-batches';
import { splitBatch } from '../ledger/batches/split-batch';
import { parkAndLogProbes } from '../ledger/waiting/park-probe';
import type { DeliveryOutcome, NotDelivered } from '../ledger/recording/delivery-outcome';
import { rangeOfIds } from '../../platform/database/statements/range-of-ids';
import {
  recordOutcomes,
  type RecordOutcomes,
  withLogUnlessRefused,
} from '../ledger/recording/record-outcomes';
import { pagesOf } from './batch-pages';
import type { BatchStanding } from './batch-standing';
import { isStillPending } from '../ledger/found-by-id';

const logger = new Logger('Batches');
/** Outcomes written with one statement. */
const PAGE = 1_000;

const findPendingSql = prepared('find_pending_of_batch')`
  select id, probes, attempt_limit as "attemptLimit", event_type as "eventType" from delivery
  where id = any($1::uuid[]) and id between $2 and $3 and ${isStillPending()} and batch_id = $4`;

type PendingRow = {
  readonly id: string;
  readonly probes: number;
  readonly attemptLimit: number | null;
  readonly eventType: string;
};

/** A try of a batch that is through. */
interface TriedBatch {
  readonly batch: ClaimedBatch;
  readonly standing: BatchStanding;
  /**
   * Whether it is refused, for an event among others perhaps: it goes on as two halves after so long. That costs none a
   * try, and is not counted.
   */
  readonly splits?: { readonly afterMs: number } | undefined;
  /** What it came to for one of the deliveries. */
  outcomeOf(delivery: ClaimedDelivery): DeliveryOutcome;
}

/** What a try came to for all of them: how often each outcome, and those that are dead, one by one. */
export interface BatchRecord {
  readonly counts: ReadonlyMap<
    DeliveryOutcome['state'],
    { readonly outcome: DeliveryOutcome; readonly count: number }
  >;
  readonly dead: readonly NotDelivered[];
}

/**
 * Writes what came of a try: deliveries, log and batch change together or not at all. When PostgreSQL refuses the log,
 * then without it.
 */
export function recordBatch(tried: TriedBatch, database: Database): Promise<BatchRecord> {
  return withLogUnlessRefused(
    (record) => database.transaction((tx) => write(tried, record, tx)),
    (error) => logger.error(`Tries of a batch are not logged: ${String(error)}`),
  );
}

async function write(tried: TriedBatch, record: RecordOutcomes, tx: Tx): Promise<BatchRecord> {
  const { batch } = tried;
  const sum = new Sum();
  await lockBatches([batch.id], tx);
  // Without the log it is a try like others.
  const splits = record === recordOutcomes ? undefined : tried.splits;
  for await (const deliveries of deliveriesOf(tried, splits !== undefined, tx)) {
    const outcomes = deliveries.map((delivery) => tried.outcomeOf(delivery));
    const parked = splits === undefined ? [] : outcomes.filter(({ state }) => state === 'pending');
    const recorded = splits === undefined ? outcomes : outcomes.filter(({ state }) => state !== 'pending');
    if (parked.length > 0) await parkAndLogProbes(parked, tx);
    if (recorded.length > 0) await record(recorded, 0, tx);
    for (const outcome of recorded) sum.addOutcome(outcome);
  }
  if (splits !== undefined) {
    await splitBatch(batch, splits.afterMs, tx);
    return sum;
  }
  const isSent = sum.counts.size === 0 || sum.counts.has('delivered');
  await endBatch(batch, { isSent, waitMs: sum.waitMs ?? 0 }, tx);
  return sum;
}

/** The deliveries that the try counts for, a page at a time. */
async function* deliveriesOf(
  { batch, standing }: TriedBatch,
  splits: boolean,
  tx: Tx,
): AsyncIterable<ClaimedDelivery[]> {
  for await (const { start, ids } of pagesOf(batch, PAGE, tx)) {
    const rows = await tx.query<PendingRow>(findPendingSql, [ids, ...rangeOfIds(ids), batch.id]);
    const pending = new Map(rows.map((row) => [row.id, row]));
    yield ids.flatMap((id, index) => {
      const row = pending.get(id);
      const attempts = standing.attemptsAt(start + index);
      if (row === undefined || attempts === undefined) return [];
      return {
        id,
        destinationId: batch.destinationId,
        attempts,
        probes: row.probes,
        attemptLimit: splits ? Infinity : (row.attemptLimit ?? undefined),
        eventType: row.eventType,
        body: undefined,
        leaseEndsAt: Number.POSITIVE_INFINITY,
      };
    });
  }
}

class Sum implements BatchRecord {
  readonly counts = new Map<DeliveryOutcome['state'], { readonly outcome: DeliveryOutcome; count: number }>();
  readonly dead: NotDelivered[] = [];
  /** All wait for the same batch: the earliest wish counts. */
  waitMs: number | undefined;

  addOutcome(outcome: DeliveryOutcome): void {
    const { state, waitMs } = outcome;
    const counted = this.counts.get(state);
    if (counted === undefined) this.counts.set(state, { outcome, count: 1 });
    else counted.count += 1;
    if (outcome.state === 'dead') this.dead.push(outcome);
    if (state === 'pending') this.waitMs = Math.min(waitMs, this.waitMs ?? waitMs);
  }
}
