import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The audit of quarantines kept the messageId of people who were deleted. Samples of violations did, too: those are not
 * shown any more, and go after 31 days.
 */
export class ForgetMessageIds1795000000091 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update audit_entry set after = after #- '{filter,messageId}'
      where resource = 'quarantine' and after #> '{filter,messageId}' is not null`);
  }

  async down(): Promise<void> {
    // What was forgotten is of no use to earlier versions either.
  }
}
