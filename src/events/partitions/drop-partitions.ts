import type { ClientBase } from 'pg';
import { isCancelled, mayPass } from '../../platform/database/failure';
import { changeTable, partitionsOf, STATEMENT_TIMEOUT_MS, withPartitionsLock } from './change-partitions';
import {
  type PartitionedTable,
  type PartitionRange,
  partitionsExpired,
  rangeOfPartition,
} from './partition-plan';

/** What keeps a partition past its retention. */
export interface UnfinishedWork {
  /** What it is, for the log: `pending deliveries`. */
  readonly what: string;
  /** A query that answers a row when there is some of it in a partition. */
  sql(partition: PartitionRange): string;
}

/** What one run dropped, and what it kept and why, by name. */
export interface DroppedPartitions {
  readonly dropped: string[];
  readonly kept: ReadonlyMap<string, string>;
}

/**
 * Drops what is past retention as of `nowMs`, but no partition in which one of the `unfinished` of its table is left.
 */
export async function dropPartitions(
  client: ClientBase,
  tables: readonly PartitionedTable[],
  unfinished: ReadonlyMap<string, readonly UnfinishedWork[]>,
  nowMs: number,
): Promise<DroppedPartitions> {
  const dropped: string[] = [];
  const kept = new Map<string, string>();
  await withPartitionsLock(client, async () => {
    for (const table of tables) {
      const works = unfinished.get(table.table) ?? [];
      const existing = await partitionsOf(client, table.table);
      for (const name of partitionsExpired(table, existing, nowMs)) {
        const reason = await dropUnlessUnfinished(client, { table: table.table, name, works });
        if (reason === undefined) dropped.push(name);
        else kept.set(name, reason);
      }
    }
  });
  return { dropped, kept };
}

/** Everybody who stores events waits for the second look, which finds at once what the first one has read. */
const LOCKED_LOOK_MS = 1_000;

interface ExpiredPartition {
  readonly table: string;
  readonly name: string;
  readonly works: readonly UnfinishedWork[];
}

/** Answers why the partition is still there; undefined when it is gone. */
async function dropUnlessUnfinished(
  client: ClientBase,
  { table, name, works }: ExpiredPartition,
): Promise<string | undefined> {
  // Without a lock first: a look may take long, and no statement is to wait for a partition that stays.
  const found = await findUnfinished(client, name, works);
  if (found !== undefined) return found;
  try {
    return await changeTable(client, async () => {
      // In the order of those who read and write, the parent first, or they and this one would wait for each other.
      await client.query(`lock table only ${table} in access exclusive mode`);
      await client.query(`lock table ${name} in access exclusive mode`);
      await client.query(`set local statement_timeout = ${LOCKED_LOOK_MS}`);
      const added = await findUnfinished(client, name, works);
      await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
      if (added === undefined) await client.query(`drop table ${name}`);
      return added;
    });
  } catch (error) {
    if (!mayPass(error)) throw error;
    return isCancelled(error)
      ? 'work that it takes too long to look for'
      : `a lock that another session holds (${String(error)})`;
  }
}

async function findUnfinished(
  client: ClientBase,
  name: string,
  works: readonly UnfinishedWork[],
): Promise<string | undefined> {
  for (const work of works) {
    const { rowCount } = await client.query(
      `select from (${work.sql(rangeOfPartition(name))}) as found limit 1`,
    );
    if (rowCount !== 0) return work.what;
  }
  return undefined;
}
