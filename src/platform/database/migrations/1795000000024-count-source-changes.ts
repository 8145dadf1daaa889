import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells every process that keeps the write keys in memory that a source has changed. */
export class CountSourceChanges1795000000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table source_change (version bigint not null)');
    await runner.query('insert into source_change values (1)');
    await runner.query(`
      create function count_source_change() returns trigger language plpgsql as $$
      begin
        update source_change set version = version + 1;
        return null;
      end $$`);
    await runner.query(`
      create trigger source_change_tr after insert or update or delete on source
      for each statement execute function count_source_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger source_change_tr on source');
    await runner.query('drop function count_source_change');
    await runner.query('drop table source_change');
  }
}
