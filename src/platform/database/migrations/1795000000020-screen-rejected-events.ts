import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rejected events are shown once it is known that they name nobody who is suppressed, or was erased meanwhile. */
export class ScreenRejectedEvents1795000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table rejected_event add column screened boolean not null default false');
    await runner.query('create index rejected_event_unscreened_ix on rejected_event (id) where not screened');
    await runner.query(`
      create table erased_id (
        -- A pseudonym, as in suppression.
        subject_hash bytea not null,
        erased_at timestamptz not null,
        constraint erased_id_pk primary key (subject_hash)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table erased_id');
    await runner.query('drop index rejected_event_unscreened_ix');
    await runner.query('alter table rejected_event drop column screened');
  }
}
