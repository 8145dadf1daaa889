import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which computed traits a destination is told the changes of. */
export class NarrowTraitNotices1795000000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Their names; null is all.
    await runner.query('alter table destination add column notice_traits jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table destination drop column notice_traits');
  }
}
