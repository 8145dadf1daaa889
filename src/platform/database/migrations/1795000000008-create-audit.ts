import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what, and which requests were answered already. */
export class CreateAudit1795000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // id is a UUIDv7: newest last, and the cursor of listings.
    await runner.query(`
      create table audit_entry (
        id uuid constraint audit_entry_pk primary key,
        at timestamptz not null default now(),
        actor text not null,
        request_id text not null,
        action text not null,
        resource text not null,
        resource_id text not null,
        -- Secrets masked. Null before a create and after a delete.
        before jsonb,
        after jsonb
      )`);
    await runner.query('create index audit_entry_resource_ix on audit_entry (resource, resource_id, id)');
    await runner.query(`
      create table idempotency_key (
        -- SHA-256 of the actor, the operation and the key.
        key_hash bytea constraint idempotency_key_pk primary key,
        body_hash bytea not null,
        created_at timestamptz not null default now(),
        -- Null while the first request is being worked on.
        answer_sealed text
      )`);
    await runner.query('create index idempotency_key_created_ix on idempotency_key (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotency_key, audit_entry');
  }
}
