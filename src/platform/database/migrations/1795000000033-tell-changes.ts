import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which changes operators were not told of yet. */
export class TellChanges1795000000033 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Null is told. In two steps: nobody is told of what was changed before.
    await runner.query('alter table audit_entry add column if not exists untold boolean');
    await runner.query('alter table audit_entry alter column untold set default true');
    await runner.query('drop index concurrently if exists audit_entry_untold_ix');
    await runner.query(
      'create index concurrently audit_entry_untold_ix on audit_entry (id) where untold is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index audit_entry_untold_ix');
    await runner.query('alter table audit_entry drop column untold');
  }
}
