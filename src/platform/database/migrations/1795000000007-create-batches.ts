import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Batches of deliveries, and what connectors keep between tries. */
export class CreateBatches1795000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The deliveries of a batch never change. While it is closed they are pending with due_at = infinity, so that
    // nobody but the batch takes them up.
    await runner.query(`
      create table delivery_batch (
        id uuid constraint delivery_batch_pk primary key,
        destination_id uuid not null,
        -- The source of all its events, or 'notices'.
        source_id text not null,
        -- The hour of their reception.
        hour timestamptz not null,
        delivery_ids uuid[] not null,
        bytes bigint not null,
        state text not null default 'closed',
        -- When it may be tried: its next try, or the end of the lease of who is at it.
        due_at timestamptz not null default now(),
        tries integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint delivery_batch_state_ck check (state in ('closed', 'sent', 'dead'))
      )`);
    await runner.query(
      `create index delivery_batch_due_ix on delivery_batch (destination_id, due_at) where state = 'closed'`,
    );
    await runner.query('create index delivery_batch_created_ix on delivery_batch (created_at)');
    await runner.query(`
      create table connector_cursor (
        destination_id uuid not null,
        key text not null,
        value jsonb not null,
        updated_at timestamptz not null default now(),
        constraint connector_cursor_pk primary key (destination_id, key),
        constraint connector_cursor_destination_fk foreign key (destination_id)
          references destination (id) on delete cascade
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table connector_cursor, delivery_batch');
  }
}
