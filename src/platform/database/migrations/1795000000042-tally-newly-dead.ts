import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts what was given up and not told of yet, so that nobody walks through it again; which connectors workers have.
 */
export class TallyNewlyDead1795000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table newly_dead (
        destination_id uuid constraint newly_dead_pk primary key,
        count integer not null,
        -- When the first of them was given up.
        since timestamptz not null,
        -- The delivery that was made last.
        newest_id uuid not null
      )`);
    // What could be seen when they were last counted.
    await runner.query(
      'alter table delivery_upkeep add column tallied pg_snapshot, add column tallied_at timestamptz',
    );
    // Null is a worker of the version before.
    await runner.query('alter table delivery_worker add column connectors text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_worker drop column connectors');
    await runner.query('alter table delivery_upkeep drop column tallied, drop column tallied_at');
    await runner.query('drop table newly_dead');
  }
}
