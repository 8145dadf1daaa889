import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

/** Finds the few events that were rejected for a rare reason among the many that were for a common one. */
export class FindRejectedEventsByCode1795000000044 implements MigrationInterface {
  /** Events are rejected on while the index is made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, 'rejected_event', {
      name: 'rejected_event_codes_ix',
      on: 'using gin (codes)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index rejected_event_codes_ix');
  }
}
