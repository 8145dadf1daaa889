import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when tries of a destination fail, to the second, and when a test of it last succeeded. */
export class TimeFailures1795000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // When the first was counted. In two steps: of what was counted before nobody knows.
    await runner.query('alter table delivery_minute add column first_at timestamptz');
    await runner.query('alter table delivery_minute alter column first_at set default now()');
    await runner.query('alter table destination_health add column tested_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table destination_health drop column tested_at');
    await runner.query('alter table delivery_minute drop column first_at');
  }
}
