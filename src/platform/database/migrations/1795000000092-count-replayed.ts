import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many deliveries a replay has made, of which nobody knows for those that an earlier version began. */
export class CountReplayed1795000000092 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table replay add column deliveries integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table replay drop column deliveries');
  }
}
