import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is to be looked at next is found at once, however many groups have changed, or people settled. */
export class IndexGroupEvaluations1795000000089 implements MigrationInterface {
  /** People are written while the index is made. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index if not exists group_evaluation_part_ix on group_evaluation (part, id)');
    await runner.query('drop index concurrently if exists segment_member_leftover_ix');
    await runner.query(
      'create index concurrently segment_member_leftover_ix on segment_member (generation) where not member and due_at is null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently segment_member_leftover_ix');
    await runner.query('drop index group_evaluation_part_ix');
  }
}
