import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

const INDEXES = [
  // Of whom it is. The hash of the subject costs a third of what one on the subject does.
  { name: 'delivery_subject_ix', on: '(hashtextextended(subject, 0))' },
  { name: 'delivery_dead_reason_ix', on: `(error_class, id) where state = 'dead'` },
  { name: 'delivery_dead_destination_ix', on: `(destination_id, id) where state = 'dead'` },
];

/** Finds deliveries by person and dead letters by reason without a walk through the ledger, and old minutes as well. */
export class FindDeliveriesOfPeople1795000000019 implements MigrationInterface {
  /** Deliveries go on while the indexes are made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await indexPartitions(runner, 'delivery', index);
    await runner.query('drop index concurrently if exists delivery_minute_minute_ix');
    await runner.query('create index concurrently delivery_minute_minute_ix on delivery_minute (minute)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index delivery_minute_minute_ix');
    for (const { name } of INDEXES) await runner.query(`drop index ${name}`);
  }
}
