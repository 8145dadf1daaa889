import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which replay has made a delivery, of which nobody knows for those that an earlier version made. */
export class NameReplays1795000000094 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery add column replay_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery drop column replay_id');
  }
}
