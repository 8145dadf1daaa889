import type { MigrationInterface, QueryRunner } from 'typeorm';
import { indexPartitions } from './index-partitions';

/** Finds stored events by their id, and the first event that bore a messageId. */
export class FindEvents1795000000017 implements MigrationInterface {
  /** Events are accepted while the index is made, partition by partition. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Rows come in about in the order of their ids, so that a few bytes for each stretch of pages find them. Another
    // B-tree would cost every event as much as its primary key.
    await indexPartitions(runner, 'event', {
      name: 'event_id_ix',
      on: 'using brin (id) with (pages_per_range = 16, autosummarize = on)',
    });
    // Null for what was accepted before.
    await runner.query('alter table message_id add column if not exists event_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table message_id drop column event_id');
    await runner.query('drop index event_id_ix');
  }
}
