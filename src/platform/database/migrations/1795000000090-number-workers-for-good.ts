import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No worker gets the id of another one that is alive. */
export class NumberWorkersForGood1795000000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The sequence of an unlogged table is unlogged, too: after a crash of PostgreSQL, or on a standby that takes over,
    // it would begin again, while workers that live on have the ids that they had.
    await runner.query('alter sequence delivery_worker_id_seq set logged');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter sequence delivery_worker_id_seq set unlogged');
  }
}
