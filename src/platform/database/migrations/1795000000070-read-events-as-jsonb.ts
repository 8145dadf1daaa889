import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is in an event, for rules about it: null where a number in it has more digits than PostgreSQL calculates with
 * (16,383 behind the point). It never raises an error, so that one such event does not hold up all the others.
 */
export class ReadEventsAsJsonb1795000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function event_content(payload json) returns jsonb language plpgsql immutable strict as $$
        begin
          return payload::jsonb;
        exception when data_exception or program_limit_exceeded then
          return null;
        end
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function event_content(json)');
  }
}
