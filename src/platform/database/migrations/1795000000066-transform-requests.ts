import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Code that makes events of the requests of a webhook. */
export class TransformRequests1795000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table source
        add column transformation_id uuid constraint source_transformation_fk references transformation (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table source drop column transformation_id');
  }
}
