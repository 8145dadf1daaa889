import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replays that were cancelled kept where they were, which names a person. */
export class ForgetPositions1795000000085 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`update replay set position = null where state <> 'running'`);
  }

  async down(): Promise<void> {
    // What was forgotten is of no use to earlier versions either.
  }
}
