import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What events look like: plans, all their versions, and which sources they are for. */
export class AddTrackingPlans1795000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table tracking_plan (
        id uuid constraint tracking_plan_pk primary key,
        name text not null,
        description text not null,
        -- json and not jsonb: people read schemas, in the order in which they wrote them.
        rules json not null,
        unplanned_events text not null,
        unplanned_properties text not null,
        version integer not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table tracking_plan_version (
        plan_id uuid not null
          constraint tracking_plan_version_plan_fk references tracking_plan (id) on delete cascade,
        version integer not null,
        content json not null,
        created_at timestamptz not null default now(),
        constraint tracking_plan_version_pk primary key (plan_id, version)
      )`);
    await runner.query('create table tracking_plan_change (version bigint not null)');
    await runner.query('insert into tracking_plan_change values (1)');
    await runner.query(`
      alter table source
        add column tracking_plan_id uuid constraint source_tracking_plan_fk references tracking_plan (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table source drop column tracking_plan_id');
    await runner.query('drop table tracking_plan_change, tracking_plan_version, tracking_plan');
  }
}
