import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Code that changes events on their way out: all its versions, and which destinations have it. */
export class AddTransformations1795000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table transformation (
        id uuid constraint transformation_pk primary key,
        name text not null,
        description text not null,
        code text not null,
        version integer not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table transformation_version (
        transformation_id uuid not null
          constraint transformation_version_fk references transformation (id) on delete cascade,
        version integer not null,
        name text not null,
        description text not null,
        code text not null,
        created_at timestamptz not null default now(),
        constraint transformation_version_pk primary key (transformation_id, version)
      )`);
    await runner.query(`
      alter table destination
        add column transformation_id uuid
          constraint destination_transformation_fk references transformation (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table destination drop column transformation_id');
    await runner.query('drop table transformation_version, transformation');
  }
}
