import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that a tracking plan keeps apart until somebody lets them go on, or discards them. */
export class QuarantineEvents1795000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table quarantined_event (
        -- Its time is that of reception.
        id uuid constraint quarantined_event_pk primary key,
        -- See message_id: an event that is sent again is kept once.
        key uuid not null constraint quarantined_event_key_uq unique,
        source_id uuid not null,
        plan_id uuid not null,
        plan_version integer not null,
        codes text[] not null,
        subject text not null,
        -- Whom it names: so that it is erased with the person.
        subjects text[] not null,
        type text not null,
        name text,
        message_id text not null,
        "timestamp" timestamptz not null,
        -- As it would be stored.
        payload json not null,
        -- Whether it is known that nobody whom it names is suppressed, or was erased meanwhile.
        screened boolean not null default false
      )`);
    await runner.query(
      'create index quarantined_event_unscreened_ix on quarantined_event (id) where not screened',
    );
    await runner.query(
      'create index quarantined_event_subjects_ix on quarantined_event using gin (subjects)',
    );
    await runner.query('create index quarantined_event_time_ix on quarantined_event ("timestamp", id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table quarantined_event');
  }
}
