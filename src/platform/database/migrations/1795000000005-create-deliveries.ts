import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger of deliveries: one row per event and destination, and every try on record. */
export class CreateDeliveries1795000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // id is a UUIDv7: partitions are ranges of ids, so one id is looked up in one partition.
    await runner.query(`
      create table delivery (
        id uuid not null,
        destination_id uuid not null,
        -- The event's whole key: (subject, timestamp, id).
        subject text not null,
        event_timestamp timestamptz not null,
        event_id uuid not null,
        state text not null default 'pending',
        attempts smallint not null default 0,
        -- When the sweeper may take a pending delivery for forgotten.
        due_at timestamptz not null,
        error_class text,
        updated_at timestamptz not null default now(),
        constraint delivery_pk primary key (id),
        constraint delivery_state_ck check (state in ('pending', 'delivered', 'dead', 'cancelled'))
      ) partition by range (id)`);
    await runner.query(`create index delivery_due_ix on delivery (due_at) where state = 'pending'`);
    await runner.query(
      `create index delivery_destination_ix on delivery (destination_id, id) where state <> 'delivered'`,
    );
    await runner.query(`
      create table delivery_attempt (
        id uuid not null,
        delivery_id uuid not null,
        attempt smallint not null,
        started_at timestamptz not null,
        status smallint,
        error_class text,
        total_ms integer not null,
        constraint delivery_attempt_pk primary key (delivery_id, id)
      ) partition by range (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table delivery_attempt, delivery');
  }
}
