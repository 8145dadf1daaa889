import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments and who is in them. */
export class CreateSegments1795000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Each definition (match and rules) of a segment has a generation of members of its own. `live_generation` is
    // the one to read; while a newer definition is computed, live_match and live_rules are what it was made from.
    await runner.query('create sequence segment_generation_seq as integer');
    await runner.query(`
      create table segment (
        id uuid constraint segment_pk primary key,
        name text not null,
        description text not null default '',
        match text not null,
        rules jsonb not null,
        generation integer not null constraint segment_generation_uq unique,
        live_generation integer,
        live_match text,
        live_rules jsonb,
        state text not null default 'computing',
        failure text,
        -- Whether people who are in it from the start count as having entered.
        announce_first boolean not null default false,
        -- Goes up with each change by an operator; the ETag.
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint segment_match_ck check (match in ('all', 'any')),
        constraint segment_state_ck check (state in ('computing', 'live', 'failed'))
      )`);
    // One row: changes with every change of a definition, see segments/active-segments.ts.
    await runner.query(`
      create table segment_revision (
        only_row boolean constraint segment_revision_pk primary key default true,
        revision bigint not null default 0,
        constraint segment_revision_only_row_ck check (only_row)
      )`);
    await runner.query('insert into segment_revision default values');
    // A row says what was found when a profile was last looked at: in (member) or not. Somebody who is not in it
    // has a row only where that has to be remembered: until due_at, or while the generation is computed.
    await runner.query(`
      create table segment_member (
        subject text collate "C" not null,
        generation integer not null,
        member boolean not null,
        -- Since when it is so.
        changed_at timestamptz not null,
        -- When the verdict may change with no event, because a window passes.
        due_at timestamptz,
        constraint segment_member_pk primary key (subject, generation)
      )`);
    await runner.query(
      'create index segment_member_generation_ix on segment_member (generation, subject) include (changed_at) where member',
    );
    await runner.query(
      'create index segment_member_others_ix on segment_member (generation, subject) where not member',
    );
    await runner.query(
      'create index segment_member_due_ix on segment_member (due_at) where due_at is not null',
    );
    // How many users a generation has: the sum of the rows. Whoever changes memberships adds a row with the difference,
    // so nobody waits for anybody; rows are put together in the background. See segments/member-counts.ts.
    await runner.query(`
      create table segment_member_count (
        generation integer not null,
        members bigint not null,
        -- Without a row that was counted, the sum says nothing yet.
        counted boolean not null default false
      )`);
    await runner.query(
      'create index segment_member_count_generation_ix on segment_member_count (generation)',
    );
    await runner.query(`
      create view live_segment_member as
        select s.id as segment_id, m.subject, m.changed_at as entered_at
        from segment s
        join segment_member m on m.generation = s.live_generation
        where m.member`);
    // What is done in the background, batch by batch: computing a generation, then tidying up behind it.
    await runner.query(`
      create table segment_task (
        id bigint generated always as identity constraint segment_task_pk primary key,
        kind text not null,
        segment_id uuid not null,
        generation integer not null,
        -- Of which generation this one takes the place.
        old_generation integer,
        -- compute: the blocks of the profile table that are left, and which file they are in.
        next_block integer not null default 0,
        end_block integer not null default 0,
        filenode oid,
        -- compute: events are writing rows of the generation too, see segments/compute-batch.ts.
        contended boolean not null default false,
        -- switch: how many blocks there were to compute.
        total_blocks integer not null default 0,
        -- settle: the last subject that is done.
        cursor text collate "C" not null default '',
        switched_at timestamptz,
        failures integer not null default 0,
        run_after timestamptz not null default now(),
        constraint segment_task_kind_ck check (kind in ('start', 'compute', 'switch', 'settle', 'discard'))
      )`);
    await runner.query('create index segment_task_segment_ix on segment_task (segment_id, generation)');
    await runner.query(createSegmentInstantSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function segment_instant');
    await runner.query('drop view live_segment_member');
    await runner.query(
      'drop table segment_task, segment_member_count, segment_member, segment_revision, segment',
    );
    await runner.query('drop sequence segment_generation_seq');
  }
}

/**
 * The instant that an ISO 8601 text says, or null when it is none: `instantOf` of segments/rules/iso-instant.ts in
 * SQL, with the same pattern. It never raises an error. Stable, not immutable, so that it is inlined.
 */
const createSegmentInstantSql = `
  create function segment_instant(value text) returns timestamptz language sql stable strict parallel safe as $$
    select case when value ~ '^(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])?)?$'
      then (regexp_replace(value, '([.][0-9]{3})[0-9]+', '\\1')
        || case when length(value) = 10 then 'T00:00Z' when substr(value, 17) ~ '[Z+-]' then '' else 'Z' end)::timestamptz
    end
  $$`;
