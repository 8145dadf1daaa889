import type { ClientBase } from 'pg';
import { failureOf } from '../../platform/database/failure';
import { changeTable, partitionsOf, withPartitionsLock } from './change-partitions';
import {
  currentPartition,
  type PartitionBounds,
  type PartitionedTable,
  partitionsMissing,
} from './partition-plan';

/** What one run made, and what it could not because another session has held a lock for too long, by name. */
export interface MadePartitions {
  readonly created: string[];
  readonly blocked: string[];
  /** Those of the blocked ones without which what comes now cannot be stored. */
  readonly missingNow: string[];
}

/**
 * Makes the partitions that `tables` will need soon, as of `nowMs`. When there is nothing to make it takes no lock.
 * Processes that do this at once wait for each other; each partition is a transaction of its own.
 */
export async function makePartitions(
  client: ClientBase,
  tables: readonly PartitionedTable[],
  nowMs: number,
): Promise<MadePartitions> {
  const created: string[] = [];
  const missing = await missingPartitions(client, tables, nowMs);
  if (missing.length === 0) return { created, blocked: [], missingNow: [] };
  const blocked = await withPartitionsLock(client, async () => {
    const left: MissingPartition[] = [];
    for (const one of await missingPartitions(client, tables, nowMs)) {
      if (await isMade(client, one)) created.push(one.name);
      else left.push(one);
    }
    return left;
  }).catch((error: unknown) => {
    if (failureOf(error) !== 'lock_timeout') throw error;
    return missing;
  });
  const namesOf = (partitions: readonly MissingPartition[]): string[] => partitions.map(({ name }) => name);
  return {
    created,
    blocked: namesOf(blocked),
    missingNow: namesOf(blocked.filter(({ isCurrent }) => isCurrent)),
  };
}

interface MissingPartition extends PartitionBounds {
  readonly table: string;
  readonly isCurrent: boolean;
}

async function missingPartitions(
  client: ClientBase,
  tables: readonly PartitionedTable[],
  nowMs: number,
): Promise<MissingPartition[]> {
  const missing: MissingPartition[] = [];
  for (const table of tables) {
    const existing = await partitionsOf(client, table.table);
    for (const bounds of partitionsMissing(table, existing, nowMs)) {
      const isCurrent = bounds.name === currentPartition(table, nowMs);
      missing.push({ table: table.table, isCurrent, ...bounds });
    }
  }
  return missing;
}

async function isMade(
  client: ClientBase,
  { table, name, values, storage, prepareSql }: MissingPartition,
): Promise<boolean> {
  try {
    await changeTable(client, async () => {
      // Made apart and attached: that locks the parent against nothing that reads or writes it.
      await client.query(`create table ${name} (like ${table} including all) ${storage}`);
      if (prepareSql !== undefined) await client.query(prepareSql);
      await client.query(`alter table ${table} attach partition ${name} for values ${values}`);
    });
    return true;
  } catch (error) {
    if (failureOf(error) !== 'lock_timeout') throw error;
    return false;
  }
}
