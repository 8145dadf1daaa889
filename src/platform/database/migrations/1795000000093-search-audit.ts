import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was changed, by its name, and a way to it by each filter. */
export class SearchAudit1795000000093 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Null for what has no name, and in entries of versions that kept none.
    await runner.query('alter table audit_entry add column if not exists resource_name text');
    // Nothing of the audit is ever deleted, and a script may write most of it, such as one that erases people or
    // retries deliveries. What few others did is not to be found by a walk through all of that. Each ends with the id:
    // it is the order and the cursor, and a stretch of time is a range of ids.
    for (const column of ['resource', 'resource_id', 'action', 'actor']) {
      const index = `audit_entry_${column}_newest_ix`;
      await runner.query(`drop index concurrently if exists ${index}`);
      await runner.query(`create index concurrently ${index} on audit_entry (${column}, id)`);
    }
    // An id is of one thing, whatever its kind: the index by both does no more than the one by the id.
    await runner.query('drop index concurrently if exists audit_entry_resource_ix');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index audit_entry_resource_ix on audit_entry (resource, resource_id, id)');
    for (const column of ['resource', 'resource_id', 'action', 'actor'])
      await runner.query(`drop index audit_entry_${column}_newest_ix`);
    await runner.query('alter table audit_entry drop column resource_name');
  }
}
