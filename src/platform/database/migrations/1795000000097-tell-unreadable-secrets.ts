import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which destinations have secrets that a worker cannot open. */
export class TellUnreadableSecrets1795000000097 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Null is a worker of the version before.
    await runner.query('alter table delivery_worker add column unreadable uuid[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_worker drop column unreadable');
  }
}
