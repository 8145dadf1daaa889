import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of `delivery`, whose partitions each have their own. */
const INDEXES = [
  // Of whom it is. The hash of the subject costs a third of what one on the subject does.
  { name: 'delivery_subject_ix', on: '(hashtextextended(subject, 0))' },
  { name: 'delivery_dead_reason_ix', on: `(error_class, id) where state = 'dead'` },
  { name: 'delivery_dead_destination_ix', on: `(destination_id, id) where state = 'dead'` },
];

const partitionsWithoutSql = `
  select p.inhrelid::regclass::text as name from pg_inherits p
  where p.inhparent = 'delivery'::regclass and not exists (
    select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
    where i.inhparent = $1::regclass and x.indrelid = p.inhrelid)`;

/** Finds deliveries by person and dead letters by reason without a walk through the ledger, and old minutes as well. */
export class FindDeliveriesOfPeople1795000000019 implements MigrationInterface {
  /** Deliveries go on while the indexes are made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) {
      // Invalid until each partition has its own. What is made from now on gets one at once.
      await runner.query(`create index if not exists ${name} on only delivery ${on}`);
      const partitions = (await runner.query(partitionsWithoutSql, [name])) as { name: string }[];
      for (const partition of partitions) await indexPartition(runner, partition.name, { name, on });
    }
    await runner.query('drop index concurrently if exists delivery_minute_minute_ix');
    await runner.query('create index concurrently delivery_minute_minute_ix on delivery_minute (minute)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index delivery_minute_minute_ix');
    for (const { name } of INDEXES) await runner.query(`drop index ${name}`);
  }
}

async function indexPartition(
  runner: QueryRunner,
  partition: string,
  { name, on }: { name: string; on: string },
): Promise<void> {
  const own = `${partition}_${name.replace('delivery_', '')}`;
  // One that was cut off stays behind, invalid.
  await runner.query(`drop index concurrently if exists ${own}`);
  await runner.query(`create index concurrently ${own} on ${partition} ${on}`);
  await runner.query(`alter index ${name} attach partition ${own}`);
}
