import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Dates in traits are read as times of events are: with `t`, a comma before the fraction, `+01`, offsets to 23:59. */
export class ReadMoreDates1795000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readMoreDatesSql);
  }

  /** What the function said before is part of what it says now. */
  async down(): Promise<void> {}
}

/**
 * The time that a text says, or null when it says none: `parseTimestamp` of events/parse-timestamp.ts in SQL. It never
 * raises an error. PostgreSQL takes offsets below 16 hours only, so they are subtracted. Stable, not immutable, so that
 * it is inlined.
 */
const readMoreDatesSql = `
  create or replace function segment_instant(value text) returns timestamptz language sql stable strict parallel safe as $$
    select case when value ~ '^(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?)?$'
      then translate(substring(value from '^.{10}(?:.{6}(?::[0-9]{2}(?:[.,][0-9]{1,3})?)?)?'), 't,', 'T.')::timestamp at time zone 'UTC'
        - coalesce(rpad(regexp_replace(substring(substr(value, 17) from '[+-].*$'), '^([+-]..):?', '\\1:'), 6, '0')::interval, '0')
    end
  $$`;
