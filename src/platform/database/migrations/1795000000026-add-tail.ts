import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What comes in while somebody watches. Rows live for seconds and may be lost, so neither table is logged. Commits are
 * in no order of ids: readers go by the transaction that wrote a row.
 */
export class AddTail1795000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table tail_listener (
        process_id uuid not null,
        seen_at timestamptz not null default now(),
        constraint tail_listener_pk primary key (process_id)
      )`);
    await runner.query(`
      create unlogged table tail_entry (
        id uuid not null,
        xact xid8 not null default pg_current_xact_id(),
        created_at timestamptz not null default now(),
        -- The keys of accepted events, as in an inbox row; of a rejected one whose it would be.
        subjects text[] not null,
        timestamps timestamptz[],
        event_ids uuid[],
        rejected json,
        constraint tail_entry_pk primary key (id)
      )`);
    await runner.query('create index tail_entry_xact_ix on tail_entry (xact)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table tail_entry, tail_listener');
  }
}
