import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets before the previous ones sign as well while their time lasts: rotations may follow each other. */
export class KeepEarlierSecrets1795000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A sealed list with their ends. The version before goes on to read the previous ones where they were.
    await runner.query('alter table destination add column earlier_secrets_sealed text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table destination drop column earlier_secrets_sealed');
  }
}
