import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The requests of each webhook wait in a line of their own. */
export class FindSourcesThatWait1795000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index hook_request_due_ix');
    await runner.query(
      'create index hook_request_waiting_ix on hook_request (source_id, id) where waiting and turns = 0',
    );
    await runner.query(
      'create index hook_request_lost_ix on hook_request (due_at) where waiting and turns > 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index hook_request_waiting_ix, hook_request_lost_ix');
    await runner.query('create index hook_request_due_ix on hook_request (due_at) where waiting');
  }
}
