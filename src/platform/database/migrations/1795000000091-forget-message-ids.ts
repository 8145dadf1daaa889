import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Samples of violations, and the audit of quarantines, kept the messageId of people who were deleted. */
export class ForgetMessageIds1795000000091 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update plan_violation_minute set samples = coalesce((
        select jsonb_agg(jsonb_build_object('eventId', s -> 'eventId')) from jsonb_array_elements(samples) as s
        where s ? 'eventId'
      ), '[]')
      where samples::text like '%"messageId"%'`);
    await runner.query(`
      update audit_entry set after = after #- '{filter,messageId}'
      where resource = 'quarantine' and after #> '{filter,messageId}' is not null`);
  }

  async down(): Promise<void> {
    // What was forgotten is of no use to earlier versions either.
  }
}
