import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that were not accepted, for people to see why: some of each kind, and how many there were. */
export class KeepRejectedEvents1795000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table rejected_event (
        id uuid not null,
        source_id uuid not null,
        -- What is wrong with it; the first problem is the one that it is counted by.
        codes text[] not null,
        paths text[] not null,
        message_id text,
        type text,
        name text,
        -- Whose it would be: so that it is erased with the person.
        subjects text[] not null,
        library text,
        library_version text,
        -- The JSON that was sent, cut.
        payload text not null,
        constraint rejected_event_pk primary key (id)
      ) partition by range (id)`);
    await runner.query(`
      create table rejected_count (
        source_id uuid not null,
        hour timestamptz not null,
        code text not null,
        path text not null,
        count bigint not null,
        constraint rejected_count_pk primary key (source_id, hour, code, path)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rejected_count, rejected_event');
  }
}
