import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is in an event, with an eye on errors where the one before this had none: a number has at most 16,383 digits
 * behind the point, those that are written and its exponent together. 15,000 characters and an exponent of three digits
 * are never that many.
 */
export class ReadLongNumbersChecked1795000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(eventContentSql({ characters: 15_000, digitsOfExponent: 4 }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(eventContentSql({ characters: 16_000, digitsOfExponent: 5 }));
  }
}

/** From where on an error is looked for. */
interface Suspect {
  readonly characters: number;
  readonly digitsOfExponent: number;
}

function eventContentSql({ characters, digitsOfExponent }: Suspect): string {
  return `
    create or replace function event_content(payload json) returns jsonb language sql immutable as $$
      select case
        when length(payload::text) < ${characters} and payload::text !~ '\\\\u|[eE][+-]?[0-9]{${digitsOfExponent}}'
          then payload::jsonb
        else checked_event_content(payload)
      end
    $$`;
}
