import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

/**
 * Finds the rejected events that name a person without a walk through all of them: whoever sends rubbish makes many.
 */
export class FindRejectedEventsOfPeople1795000000043 implements MigrationInterface {
  /** Events are rejected on while the index is made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexPartitions(runner, 'rejected_event', {
      name: 'rejected_event_subjects_ix',
      on: 'using gin (subjects)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index rejected_event_subjects_ix');
  }
}
