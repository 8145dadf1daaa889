import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What stands at a path of an event, with its numbers as doubles, which is what filters, profiles and rules themselves
 * have: of 1234567890123456789 PostgreSQL knows all digits. Numbers of up to 15 characters are doubles as they are; one
 * that is larger than all doubles stays what it is.
 */
export class ReadNumbersAsDoubles1795000000079 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function as_double(number jsonb) returns jsonb language sql immutable
        return case
          when abs(number::numeric) < 2.5e-324 then '0'::jsonb
          when abs(number::numeric) <= 1.7e308 then to_jsonb(number::numeric::float8)
          else number
        end`);
    // Numbers in lists, which rules look for; those that are further inside are compared with all their digits.
    await runner.query(`
      create function list_of_doubles(list jsonb) returns jsonb language sql immutable
        return (
          select coalesce(jsonb_agg(case when jsonb_typeof(item) = 'number' then as_double(item) else item end order by place), '[]')
          from jsonb_array_elements(list) with ordinality as items (item, place)
        )`);
    await runner.query(`
      create function event_value(value jsonb) returns jsonb language sql immutable
        return case jsonb_typeof(value)
          when 'number' then case when length(value::text) > 15 then as_double(value) else value end
          when 'array' then case when value::text ~ '[0-9.]{16}' then list_of_doubles(value) else value end
          else value
        end`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function event_value(jsonb)');
    await runner.query('drop function list_of_doubles(jsonb)');
    await runner.query('drop function as_double(jsonb)');
  }
}
