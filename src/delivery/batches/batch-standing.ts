import type { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { rangeOfIds } from '../../platform/database/statements/range-of-ids';
import { pagesOf } from './batch-pages';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';
import { isStillPending } from '../ledger/found-by-id';

const PAGE = 5_000;
/** Traces of deliveries that are kept, for the span of the batch. */
const MAX_TRACES = 32;
const NOT_PENDING = -1;

const readStanding = prepared('read_batch_standing')`
  select id, attempts, traceparent from delivery
  where id = any($1::uuid[]) and id between $2 and $3 and ${isStillPending()} and batch_id = $4`;

/**
 * Which deliveries of a batch were pending when its try began, and after how many tries: what the try may count for.
 * One that comes back during the try (a replay) may be missing in what is sent. Two bytes each.
 */
export class BatchStanding {
  readonly traceparents = new Set<string>();
  pending = 0;

  private constructor(private readonly attempts: Int16Array) {}

  static async read(batch: ClaimedBatch, database: Database): Promise<BatchStanding> {
    const standing = new BatchStanding(new Int16Array(batch.eventCount).fill(NOT_PENDING));
    for await (const { start, ids } of pagesOf(batch, PAGE, database)) {
      const rows = await database.query<{ id: string; attempts: number; traceparent: string | null }>(
        readStanding,
        [ids, ...rangeOfIds(ids), batch.id],
      );
      const attempts = new Map(rows.map((row) => [row.id, row.attempts]));
      for (const [index, id] of ids.entries()) {
        standing.attempts[start + index] = attempts.get(id) ?? NOT_PENDING;
      }
      standing.pending += rows.length;
      standing.addTraces(rows.flatMap(({ traceparent }) => traceparent ?? []));
    }
    return standing;
  }

  /** Undefined when the delivery at this position of the batch was not pending. */
  attemptsAt(position: number): number | undefined {
    const attempts = this.attempts[position];
    return attempts === NOT_PENDING ? undefined : attempts;
  }

  private addTraces(traceparents: readonly string[]): void {
    for (const traceparent of traceparents) {
      if (this.traceparents.size < MAX_TRACES) this.traceparents.add(traceparent);
    }
  }
}
