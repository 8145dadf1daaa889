import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In what events differ from their tracking plans, by minute, with a few of them. */
export class CountPlanViolations1795000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table plan_violation_minute (
        plan_id uuid not null,
        minute timestamptz not null,
        source_id uuid not null,
        version integer not null,
        rule text not null,
        -- Without the places in arrays.
        path text not null,
        code text not null,
        -- Empty where no schema speaks.
        keyword text not null,
        count bigint not null,
        -- Ids of events, which are looked up: what is erased is not here.
        samples jsonb not null,
        constraint plan_violation_minute_pk
          primary key (plan_id, minute, source_id, version, rule, path, code, keyword)
      )`);
    await runner.query('create index plan_violation_minute_minute_ix on plan_violation_minute (minute)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table plan_violation_minute');
  }
}
