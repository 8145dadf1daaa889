import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What transformations have seen of the person of a delivery, so that each try sees the same. */
export class KeepContexts1795000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery add column context jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery drop column context');
  }
}
