import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments and who is in them. */
export class CreateSegments1795000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table segment (
        id uuid constraint segment_pk primary key,
        name text not null,
        description text not null default '',
        match text not null default 'all',
        rules jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table segment_member (
        segment_id uuid not null,
        subject text collate "C" not null,
        entered_at timestamptz not null default now(),
        constraint segment_member_pk primary key (subject, segment_id)
      )`);
    await runner.query('create index segment_member_segment_ix on segment_member (segment_id, subject)');
    // What other modules read.
    await runner.query(
      'create view live_segment_member as select segment_id, subject, entered_at from segment_member',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view live_segment_member');
    await runner.query('drop table segment_member, segment');
  }
}
