import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many events of a source were accepted, duplicates, or rejected, in each minute of the last two days. */
export class CountEvents1795000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_minute (
        minute timestamptz not null,
        source_id uuid not null,
        outcome text not null,
        count bigint not null,
        constraint event_minute_pk primary key (minute, source_id, outcome)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table event_minute');
  }
}
