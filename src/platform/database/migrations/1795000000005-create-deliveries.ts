import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ledger of deliveries: one row per event and destination, and every try on record. */
export class CreateDeliveries1795000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // id is a UUIDv7: partitions are ranges of ids, so one id is looked up in one partition.
    await runner.query(`
      create table delivery (
        id uuid not null,
        destination_id uuid not null,
        -- The event's whole key: (subject, timestamp, id). A notice has no event, its text is the payload.
        subject text collate "C" not null,
        event_timestamp timestamptz not null,
        event_id uuid not null,
        event_type text not null,
        payload json,
        state text not null default 'pending',
        attempts smallint not null default 0,
        -- How many attempts there may be when it is not the configured number: a replay grants new ones.
        attempt_limit smallint,
        -- When the sweeper may take a pending delivery for forgotten.
        due_at timestamptz not null,
        -- A worker is at it until then. Indexed by nothing, so that taking a lease rewrites no index.
        leased_until timestamptz,
        error_class text,
        -- The batch it travels in, for connectors that send many events at a time.
        batch_id uuid,
        -- The span that it belongs to, when the request that brought the event is traced.
        traceparent text,
        updated_at timestamptz not null default now(),
        constraint delivery_pk primary key (id),
        constraint delivery_state_ck check (state in ('pending', 'delivered', 'dead', 'cancelled'))
      ) partition by range (id)`);
    await runner.query(
      `create index delivery_due_ix on delivery (destination_id, due_at) where state = 'pending'`,
    );
    await runner.query(`create index delivery_destination_ix on delivery (destination_id, id)`);
    // Delete notices that still name the person, see privacy/notice-cleaner.ts.
    await runner.query(
      `create index delivery_deletion_ix on delivery (id) where event_type = 'delete' and payload is not null`,
    );
    await runner.query(`create index delivery_dead_ix on delivery (id) where state = 'dead'`);
    // Latencies in milliseconds; null is what was not needed, such as a name lookup on a connection kept open.
    await runner.query(`
      create table delivery_attempt (
        id uuid not null,
        delivery_id uuid not null,
        attempt smallint not null,
        started_at timestamptz not null,
        status smallint,
        error_class text,
        dns_ms real,
        connect_ms real,
        tls_ms real,
        first_byte_ms real,
        total_ms real not null,
        -- The first 1 KB of the answer.
        answer text,
        next_try_at timestamptz,
        constraint delivery_attempt_pk primary key (delivery_id, id)
      ) partition by range (id)`);
    // The state of a destination's breaker, shared by all workers. No row: closed.
    await runner.query(`
      create table destination_health (
        destination_id uuid constraint destination_health_pk primary key
          constraint destination_health_destination_fk references destination (id) on delete cascade,
        -- Since when it is enabled, or paused; null is since it was made.
        switched_at timestamptz,
        breaker text not null default 'closed',
        reason text,
        since timestamptz not null default now(),
        -- Why the service itself disabled the destination, and when.
        disabled_reason text,
        disabled_at timestamptz,
        probe_at timestamptz,
        probes integer not null default 0,
        constraint destination_health_breaker_ck check (breaker in ('closed', 'open'))
      )`);
    // What destinations with a rate limit may still be sent. Worth no write-ahead log: after a crash all start anew.
    await runner.query(`
      create unlogged table destination_rate (
        destination_id uuid constraint destination_rate_pk primary key
          constraint destination_rate_destination_fk references destination (id) on delete cascade,
        tokens float8 not null,
        -- What the last one who asked was given.
        granted float8 not null,
        at timestamptz not null
      ) with (fillfactor = 20)`);
    // Outcomes per minute, by latency class: what the statistics of a destination are made of.
    await runner.query(`
      create table delivery_minute (
        destination_id uuid not null,
        minute timestamptz not null,
        outcome text not null,
        latency_class smallint not null,
        count integer not null,
        constraint delivery_minute_pk primary key (destination_id, minute, outcome, latency_class)
      )`);
    // Deliveries that are made again on request, a few each second. What is left to do follows from position.
    await runner.query(`
      create table replay (
        id uuid constraint replay_pk primary key,
        kind text not null,
        destination_id uuid not null,
        filter jsonb not null,
        rate_per_second integer not null,
        state text not null default 'running',
        -- How many there were at the start; null when they were too many to count.
        total integer,
        done integer not null default 0,
        position jsonb,
        stepped_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        constraint replay_kind_ck check (kind in ('dead_letters', 'events')),
        constraint replay_state_ck check (state in ('running', 'done', 'cancelled'))
      )`);
    await runner.query(`create index replay_running_ix on replay (id) where state = 'running'`);
    // Every process keeps the destinations in memory and compares this number to learn that they changed.
    await runner.query('create table destination_change (version bigint not null)');
    await runner.query('insert into destination_change values (1)');
    await runner.query(`
      create function count_destination_change() returns trigger language plpgsql as $$
      begin
        update destination_change set version = version + 1;
        return null;
      end $$`);
    await runner.query(`
      create trigger destination_change_tr after insert or update or delete on destination
      for each statement execute function count_destination_change()`);
    // However a destination is switched on again, what was known of its health is past.
    await runner.query(`
      create function note_destination_switch() returns trigger language plpgsql as $$
      begin
        insert into destination_health as h (destination_id, switched_at) values (new.id, now())
        on conflict (destination_id) do update set switched_at = now();
        if new.enabled then
          update destination_health set breaker = 'closed', reason = null, since = now(), probe_at = null, probes = 0,
            disabled_reason = null, disabled_at = null
          where destination_id = new.id;
        end if;
        return null;
      end $$`);
    await runner.query(`
      create trigger destination_switch_tr after update of enabled on destination
      for each row when (old.enabled is distinct from new.enabled) execute function note_destination_switch()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger destination_switch_tr on destination');
    await runner.query('drop trigger destination_change_tr on destination');
    await runner.query('drop function note_destination_switch, count_destination_change');
    await runner.query(
      'drop table destination_change, replay, delivery_minute, destination_rate, destination_health, delivery_attempt, delivery',
    );
  }
}
