import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DAY_MS, lowestId, rangeOfPartition } from '../../events/partitions/partition-plan';
import { Lookout } from '../../platform/background/lookout';
import { Database, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

const readSql = 'select pending_from::text as "pendingFrom" from delivery_upkeep';
const listPartitionsSql = `
  select inhrelid::regclass::text as name from pg_inherits where inhparent = 'delivery'::regclass`;
// Whoever reopens a delivery in between counts it: then what was found may be too high.
const advanceSql = prepared('advance_pending_from')`
  update delivery_upkeep set pending_from = $1 where reopened = $2`;

/** What of a statement that reopens the deliveries `picked (id)` keeps {@link PendingFrom} true. */
export const LOWERED = `
  lowered as (
    update delivery_upkeep set reopened = reopened + 1,
      pending_from = least(pending_from, (select id from picked order by id limit 1))
  )`;

/**
 * No delivery with a lower id is pending: so statements about what is pending look at some partitions, not at all. It
 * is true at any time of what stands in the database; a process learns within about a second that an old one was
 * reopened, and then finds it.
 */
@Injectable()
export class PendingFrom implements OnApplicationBootstrap {
  private readonly logger = new Logger(PendingFrom.name);
  private pendingFrom = lowestId(0);

  constructor(
    private readonly database: Database,
    lookout: Lookout,
  ) {
    lookout.watch<string>({
      sql: readSql,
      act: async (pendingFrom) => (this.pendingFrom = pendingFrom),
      report: (error) => this.logger.debug(String(error)),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  /** As of the last look. */
  get id(): string {
    return this.pendingFrom;
  }

  async refresh(): Promise<void> {
    const [row] = await this.database.query<{ pendingFrom: string }>(readSql);
    if (row !== undefined) this.pendingFrom = row.pendingFrom;
  }
}

/**
 * Finds out anew where the oldest delivery that is pending may be, partition by partition, each with a statement of its
 * own: one over all of them would lock them all.
 * @param reopened as it was before
 */
export async function advancePendingFrom(reopened: string, nowMs: number, tx: Tx): Promise<void> {
  await tx.query(advanceSql, [await findPendingFrom(nowMs, tx), reopened]);
}

async function findPendingFrom(nowMs: number, tx: Tx): Promise<string> {
  // What was made a moment ago may not be committed.
  const newest = lowestId(nowMs - DAY_MS);
  const partitions = await tx.query<{ name: string }>(listPartitionsSql);
  const ranges = partitions
    .map(({ name }) => rangeOfPartition(name))
    .sort((a, b) => (a.fromId < b.fromId ? -1 : 1));
  for (const { name, fromId } of ranges) {
    if (fromId >= newest) break;
    if (await hasPending(name, tx)) return fromId;
  }
  return newest;
}

/** The order makes it a look into the index of what is pending, whatever PostgreSQL thinks of how much that is. */
async function hasPending(partition: string, tx: Tx): Promise<boolean> {
  const sql = `select from ${partition} where state = 'pending' order by destination_id limit 1`;
  return (await tx.query(sql)).length > 0;
}
