import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which of two requests has an idempotency key, where one was given up for dead that was not. */
export class TellClaimsApart1795000000086 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Random; null where the version before has claimed the key.
    await runner.query('alter table idempotency_key add column token uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_key drop column token');
  }
}
