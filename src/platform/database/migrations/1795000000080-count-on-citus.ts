import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What statements need whose tables are on another node than the one that they are sent to. */
export class CountOnCitus1795000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The server whose snapshot `tallied` is. Null was written by the version before: then the time has to do, once.
    await runner.query('alter table delivery_upkeep add column tallied_on bigint');
    // What is in an event, as before; but the other functions are found whatever the search path is: a node has its
    // own.
    await runner.query(`
      create or replace function event_content(payload json) returns jsonb language sql immutable
      return case
        when length(payload::text) < 15000 and payload::text !~ '\\\\u|[eE][+-]?[0-9]{4}' then payload::jsonb
        else checked_event_content(payload)
      end`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function event_content(payload json) returns jsonb language sql immutable as $$
        select case
          when length(payload::text) < 15000 and payload::text !~ '\\\\u|[eE][+-]?[0-9]{4}' then payload::jsonb
          else checked_event_content(payload)
        end
      $$`);
    await runner.query('alter table delivery_upkeep drop column tallied_on');
  }
}
