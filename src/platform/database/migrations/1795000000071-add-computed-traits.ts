import type { MigrationInterface, QueryRunner } from 'typeorm';

const OLD = `'"field": "computed.'`;
const NEW = `'"field": "traits.computed.'`;

/**
 * Values about what people did, by name. What rules called `computed.…` before was a trait: now it is
 * `traits.computed.…`.
 */
export class AddComputedTraits1795000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table computed_trait (
        id uuid constraint computed_trait_pk primary key,
        name text not null constraint computed_trait_name_unique unique,
        description text not null,
        definition jsonb not null,
        version integer not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      update segment set rules = replace(rules::text, ${OLD}, ${NEW})::jsonb,
        live_rules = replace(live_rules::text, ${OLD}, ${NEW})::jsonb
      where rules::text like '%' || ${OLD} || '%' or live_rules::text like '%' || ${OLD} || '%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table computed_trait');
  }
}
