import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What destinations were told of the service itself, so that each change is told once. */
export class TellOperators1795000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // When each look at how things are is to be taken again.
    await runner.query(`
      create table notice_look (
        name text constraint notice_look_pk primary key,
        due_at timestamptz not null
      )`);
    // No row: nothing was the matter.
    await runner.query(`
      create table told_state (
        look text not null,
        -- The destination, source or segment.
        about_id uuid not null,
        state text not null,
        at timestamptz not null default now(),
        constraint told_state_pk primary key (look, about_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table told_state, notice_look');
  }
}
