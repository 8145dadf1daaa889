import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Profiles, one row per subject, and their counts per day. */
export class CreateProfiles1795000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A subject that was linked to another one stays as a row that only points there (merged_into is the root,
    // never a pointer to a pointer), so the profile table is also the identity graph.
    await runner.query(`
      create table profile (
        subject text collate "C" constraint profile_pk primary key,
        merged_into text collate "C",
        traits jsonb not null default '{}',
        -- The clock of each trait key, unset ones included: what decides the last writer.
        trait_clocks jsonb not null default '{}',
        groups text[] not null default '{}',
        event_count bigint not null default 0,
        -- { "<event name>": { "count": n, "first": ms, "last": ms } }
        event_totals jsonb not null default '{}',
        first_seen_at timestamptz,
        last_seen_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      ) with (fillfactor = 80)`);
    await runner.query(
      'create index profile_merged_into_ix on profile (merged_into) where merged_into is not null',
    );
    await runner.query(`
      create table profile_day (
        subject text collate "C" not null,
        name text collate "C" not null,
        day date not null,
        count integer not null,
        constraint profile_day_pk primary key (subject, name, day)
      ) with (fillfactor = 80)`);
    await runner.query(`
      create table customer_group (
        group_id text collate "C" constraint customer_group_pk primary key,
        traits jsonb not null default '{}',
        trait_clocks jsonb not null default '{}',
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table pseudonym_key (
        only_row boolean constraint pseudonym_key_pk primary key default true,
        key_sealed text not null,
        constraint pseudonym_key_only_row_ck check (only_row)
      )`);
    // Who is refused: a keyed hash of the subject, so that the list names nobody.
    await runner.query(`
      create table suppression (
        subject_hash bytea constraint suppression_pk primary key,
        created_at timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table suppression, pseudonym_key, customer_group, profile_day, profile');
  }
}
