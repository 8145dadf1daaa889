import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells every process that keeps the write keys in memory that a source has changed. */
export class CountSourceChanges1795000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table source_change (version bigint not null)');
    await runner.query('insert into source_change values (1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table source_change');
  }
}
