import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The values of computed traits, of those that somebody needs kept. */
export class KeepComputedTraits1795000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Which destination needs which computed trait kept; none: all that there are.
    await runner.query(`
      create table trait_use (
        destination_id uuid not null,
        trait_id uuid constraint trait_use_trait_fk references computed_trait (id)
      )`);
    await runner.query('create index trait_use_destination_ix on trait_use (destination_id)');
    await runner.query('create index trait_use_trait_ix on trait_use (trait_id)');
    // Another definition of a trait is another generation.
    await runner.query(`
      create table kept_trait (
        generation integer generated always as identity constraint kept_trait_pk primary key,
        trait_id uuid not null,
        -- What the values are of, and the value of no events at all.
        definition jsonb not null,
        nothing jsonb,
        state text not null,
        -- computing: the last subject that is done, and those before it who were locked.
        cursor text collate "C" not null default '',
        left_out text[] not null default '{}',
        failures integer not null default 0,
        run_after timestamptz not null default now(),
        constraint kept_trait_state_ck check (state in ('computing', 'computed', 'live', 'discarding'))
      )`);
    await runner.query(
      `create unique index kept_trait_trait_ux on kept_trait (trait_id) where state <> 'discarding'`,
    );
    // Somebody whose value is that of no events, and stays it, has no row.
    await runner.query(`
      create table computed_value (
        subject text collate "C" not null,
        generation integer not null,
        value jsonb,
        -- When it changes with no event, because a window passes.
        due_at timestamptz,
        constraint computed_value_pk primary key (subject, generation)
      )`);
    await runner.query('create index computed_value_generation_ix on computed_value (generation)');
    await runner.query(
      'create index computed_value_due_ix on computed_value (due_at) where due_at is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table computed_value, kept_trait, trait_use');
  }
}
