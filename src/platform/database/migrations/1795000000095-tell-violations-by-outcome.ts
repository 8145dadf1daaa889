import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the events in which violations were counted, of which nobody knows for those counted before. */
export class TellViolationsByOutcome1795000000095 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table plan_violation_minute
        add column accepted bigint not null default 0,
        add column quarantined bigint not null default 0,
        add column rejected bigint not null default 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table plan_violation_minute drop column accepted, drop column quarantined, drop column rejected',
    );
  }
}
