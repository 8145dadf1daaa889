import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An id that several deletions suppress stays suppressed until each of them is lifted. */
export class SuppressByEachDeletion1795000000087 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Entries without a receipt are lifted alone, as before. Derived, for Citus takes no random value in an update.
    await runner.query(
      'update suppression set receipt_id = md5(subject_hash)::uuid where receipt_id is null',
    );
    // The version before names no target in `on conflict`, and so writes here; but it cannot lift an id that has
    // several.
    await runner.query('alter table suppression drop constraint suppression_pk');
    await runner.query(
      'alter table suppression add constraint suppression_pk primary key (subject_hash, receipt_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from suppression s using suppression other
      where other.subject_hash = s.subject_hash and other.receipt_id < s.receipt_id`);
    await runner.query('alter table suppression drop constraint suppression_pk');
    await runner.query('alter table suppression alter column receipt_id drop not null');
    await runner.query('alter table suppression add constraint suppression_pk primary key (subject_hash)');
  }
}
