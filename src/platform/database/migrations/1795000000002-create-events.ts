import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events, the ids that keep them unique, and the inbox that hands them on.
 * Both big tables are partitioned by time; `events/partitions.ts` makes and drops the partitions.
 */
export class CreateEvents1795000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // id is a UUIDv7, so a range of ids is a range of reception times.
    // payload is json, not jsonb: the text is delivered as it was stored.
    await runner.query(`
      create table event (
        subject text collate "C" not null,
        "timestamp" timestamptz not null,
        id uuid not null,
        source_id uuid not null,
        type text not null,
        name text,
        payload json not null,
        constraint event_pk primary key (subject, "timestamp", id)
      ) partition by range (id)`);
    // key is the first half of SHA-256 over source id and messageId.
    await runner.query(`
      create table message_id (
        key uuid not null,
        epoch integer not null,
        constraint message_id_pk primary key (key, epoch)
      ) partition by list (epoch)`);
    // One row per group commit: the keys of its events, in order of arrival. Gone once processed.
    // traces: for events whose request is traced, the traceparent by event id; otherwise null.
    await runner.query(`
      create table inbox (
        id uuid constraint inbox_pk primary key,
        subjects text[] not null,
        timestamps timestamptz[] not null,
        event_ids uuid[] not null,
        traces json,
        created_at timestamptz not null default clock_timestamp()
      )`);
    // Events that could not be processed. filed: the dead-letter queue has a job that shows it.
    await runner.query(`
      create table dead_event (
        event_id uuid constraint dead_event_pk primary key,
        subject text collate "C" not null,
        "timestamp" timestamptz not null,
        reason text not null,
        failed_at timestamptz not null default now(),
        filed boolean not null default false
      )`);
    await runner.query('create index dead_event_unfiled_ix on dead_event (event_id) where not filed');
    await runner.query('create index dead_event_subject_ix on dead_event (subject)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table dead_event, inbox, message_id, event');
  }
}
