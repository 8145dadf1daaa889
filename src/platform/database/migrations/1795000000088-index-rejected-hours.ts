import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of rejected events are forgotten by their hour, with each writing of new ones. */
export class IndexRejectedHours1795000000088 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index rejected_count_hour_ix on rejected_count (hour)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index rejected_count_hour_ix');
  }
}
