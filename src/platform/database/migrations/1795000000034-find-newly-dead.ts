import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

/** Finds the deliveries that were given up lately, however many there are. */
export class FindNewlyDead1795000000034 implements MigrationInterface {
  /** Deliveries go on while the index is made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, 'delivery', {
      name: 'delivery_died_ix',
      on: `(updated_at) where state = 'dead'`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index delivery_died_ix');
  }
}
