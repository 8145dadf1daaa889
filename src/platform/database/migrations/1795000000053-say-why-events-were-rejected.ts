import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rejected events keep what their answers said of them: messages, and rules of tracking plans. */
export class SayWhyEventsWereRejected1795000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Null of what the version before writes down.
    await runner.query('alter table rejected_event add column problems json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table rejected_event drop column problems');
  }
}
