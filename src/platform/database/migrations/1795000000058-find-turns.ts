import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

const TURNS = {
  name: 'delivery_turn_ix',
  on: `(destination_id, person, place, id) where state = 'pending' and person is not null and passed_at is null`,
};

/** Finds the first delivery of each person of an ordered destination. */
export class FindTurns1795000000058 implements MigrationInterface {
  /** Deliveries go on while the index is made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, 'delivery', TURNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${TURNS.name}`);
  }
}
