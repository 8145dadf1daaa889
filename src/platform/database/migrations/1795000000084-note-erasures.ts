import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasures of people of whom much is held, so that one that is cut off goes on. */
export class NoteErasures1795000000084 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table erasure (
        -- The row goes with the last of the person.
        subject text collate "C" constraint erasure_pk primary key,
        suppress boolean not null,
        -- Who asked for it, for the audit.
        actor jsonb not null,
        -- What was deleted so far.
        deliveries bigint not null default 0,
        events bigint not null default 0,
        others bigint not null default 0,
        -- Whose last part was long ago was left.
        stepped_at timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table erasure');
  }
}
