import type { QueryRunner } from 'typeorm';

/** An index of a partitioned table, whose partitions each have their own. */
export interface PartitionedIndex {
  /** Begins with the name of the table. */
  readonly name: string;
  /** What follows the name of the table in `create index`. */
  readonly on: string;
}

const partitionsWithoutSql = `
  select p.inhrelid::regclass::text as name from pg_inherits p
  where p.inhparent = $1::regclass and not exists (
    select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
    where i.inhparent = $2::regclass and x.indrelid = p.inhrelid)`;

/**
 * Makes the index partition by partition, while rows are written. For a migration without a transaction; one that was
 * cut off goes on where it was.
 */
export async function indexPartitions(
  runner: QueryRunner,
  table: string,
  { name, on }: PartitionedIndex,
): Promise<void> {
  // Invalid until each partition has its own. What is made from now on gets one at once.
  await runner.query(`create index if not exists ${name} on only ${table} ${on}`);
  const partitions = (await runner.query(partitionsWithoutSql, [table, name])) as { name: string }[];
  for (const partition of partitions) {
    const own = `${partition.name}_${name.replace(`${table}_`, '')}`;
    // One that was cut off stays behind, invalid.
    await runner.query(`drop index concurrently if exists ${own}`);
    await runner.query(`create index concurrently ${own} on ${partition.name} ${on}`);
    await runner.query(`alter index ${name} attach partition ${own}`);
  }
}
