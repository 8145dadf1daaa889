import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sources and destinations: what an operator configures. */
export class CreateConfiguration1795000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table source (
        id uuid constraint source_pk primary key,
        name text not null,
        description text not null default '',
        enabled boolean not null default true,
        write_key_hash bytea not null constraint source_write_key_hash_uq unique,
        write_key_sealed text not null,
        -- After a rotation the previous write key works on until it expires.
        previous_write_key_hash bytea constraint source_previous_write_key_hash_uq unique,
        previous_write_key_expires_at timestamptz,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table destination (
        id uuid constraint destination_pk primary key,
        name text not null,
        type text not null,
        -- Settings of the connector without its secrets, which are in secrets_sealed (a sealed JSON object).
        config jsonb not null default '{}',
        secrets_sealed text not null,
        -- After a rotation the previous secrets sign as well until they expire.
        previous_secrets_sealed text,
        previous_secrets_until timestamptz,
        enabled boolean not null default true,
        -- Which events it gets; null is no restriction. See destinations/filter and destinations/mapping.
        sources jsonb,
        filter jsonb,
        mapping jsonb,
        notices jsonb not null default '[]',
        -- {"perSecond": n}; null is no limit.
        rate_limit jsonb,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table destination, source');
  }
}
