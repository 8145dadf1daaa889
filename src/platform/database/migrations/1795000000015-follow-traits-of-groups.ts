import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People are looked at again in the background when the traits of their group have changed. */
export class FollowTraitsOfGroups1795000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A group whose traits have changed (part 0), then its members, part by part; see segments/group-batch.ts.
    await runner.query(`
      create table group_evaluation (
        id bigint generated always as identity constraint group_evaluation_pk primary key,
        group_id text collate "C" not null,
        part integer not null default 0,
        -- Who is left to look at. Null in part 0: the members are not written down yet.
        subjects text[],
        run_after timestamptz not null default now()
      )`);
    await runner.query('create index group_evaluation_group_ix on group_evaluation (group_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table group_evaluation');
  }
}
