import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a source sent something last, and after how long without anybody is told. */
export class HearSources1795000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table source add column silent_after_minutes integer');
    await runner.query(`
      create table source_heard (
        source_id uuid constraint source_heard_pk primary key
          constraint source_heard_source_fk references source (id) on delete cascade,
        heard_at timestamptz not null
      ) with (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table source_heard');
    await runner.query('alter table source drop column silent_after_minutes');
  }
}
