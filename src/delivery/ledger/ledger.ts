import { Inject, Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { Database, type PreparedStatement } from '../../platform/database/database';
import { WorkerPresence } from '../presence/worker-presence';
import type { ClaimedDelivery } from './claimed-delivery';
import { type Backlog, findBacklogs } from './find-backlogs';
import { isFree, leaseMsFor } from './lease';
import type { Outcome } from './outcome';
import { rangeOf } from './range-of';
import { parkAndLogProbe } from './record-outcomes';

interface ClaimedRow {
  readonly id: string;
  readonly destination_id: string;
  readonly attempts: number;
  readonly attempt_limit: number | null;
  readonly probes: number;
  readonly event_type: string;
  readonly body: string | null;
  readonly due_at: string;
  readonly traceparent: string | null;
  readonly version: string;
  /** For how long nobody else takes the delivery. */
  readonly lease_ms: number;
}

const UNTOUCHED_MARGIN_MS = 6_000;

const BODY_COLUMNS =
  'id, destination_id, attempts, attempt_limit, probes, event_type, payload, subject, event_timestamp, event_id, due_at, traceparent';
const LEASED = `
    update delivery d set leased_until = now() + $1 * interval '1 millisecond', leased_by = $2::int
    from due where d.id = due.id
    returning d.id, d.destination_id, d.attempts, d.attempt_limit, d.probes, d.event_type, d.payload,
      d.subject, d.event_timestamp, d.event_id, d.due_at, d.traceparent, $1::float8 as lease_ms`;
const FREE = `state = 'pending' and ${isFree({ leaseMs: '$1', lost: '$3' })}`;
// `limit 1` keeps this a lookup of one row in one partition, whatever the planner thinks of the tables. Of a table with one
// row that nobody has analyzed it thinks that there are thousands: joined, each claim seemed to be worth compiling.
const WITH_BODY = `
  select c.id, c.destination_id, c.attempts, c.attempt_limit, c.probes, c.event_type, c.lease_ms, c.due_at::text as due_at,
    c.traceparent,
    coalesce(c.payload, e.payload)::text as body, (select version::text from destination_change) as version
  from leased c
  left join lateral (
    select event.payload from event
    where event.subject = c.subject and event."timestamp" = c.event_timestamp and event.id = c.event_id
    limit 1
  ) e on c.payload is null`;

// Until due_at a delivery belongs to the one job that was made for it: nobody else takes it, so when enough of that
// time is left it needs no lease, which would cost as much as all the rest.
const takeByIds = {
  name: 'take_deliveries_by_id',
  text: `
  with leased as (
    select ${BODY_COLUMNS}, (extract(epoch from due_at - now()) * 1000)::float8 as lease_ms
    from delivery
    where id = any($2::uuid[]) and id between $3 and $4 and state = 'pending' and leased_until is null
      and due_at > now() + $1 * interval '1 millisecond'
  ) ${WITH_BODY}`,
};

// The range of ids repeats what the list says, because it is what partitions are pruned by.
const claimByIds = {
  name: 'claim_deliveries_by_id',
  text: `
  with due as (
    select id from delivery
    where id = any($4::uuid[]) and id between $5 and $6 and ${FREE}
    for update skip locked
  ), leased as (${LEASED}) ${WITH_BODY}`,
};

const claimDue = {
  name: 'claim_due_deliveries',
  text: `
  with due as (
    select id from delivery
    where destination_id = $4 and due_at >= $6 and due_at <= now() + $7 * interval '1 millisecond' and ${FREE}
    order by due_at limit $5 for update skip locked
  ), leased as (${LEASED}) ${WITH_BODY}`,
};

const claimNext = {
  name: 'claim_next_delivery',
  text: `
  with due as (
    select id from delivery
    where destination_id = $4 and due_at <= now() + $5 * interval '1 millisecond' and ${FREE}
    order by due_at limit 1 for update skip locked
  ), leased as (${LEASED}) ${WITH_BODY}`,
};

const findPending = {
  name: 'find_pending_delivery',
  text: `select from delivery where destination_id = $1 and state = 'pending' limit 1`,
};

// Rows that are locked are being recorded.
const secure = {
  name: 'secure_deliveries',
  text: `
  with held as (
    select id from delivery
    where id = any($3::uuid[]) and id between $4 and $5 and state = 'pending' and leased_until is null
    for update skip locked
  )
  update delivery d set leased_until = now() + $1 * interval '1 millisecond', leased_by = $2::int
  from held where d.id = held.id`,
};

const release = {
  name: 'release_deliveries',
  text: `
  update delivery set leased_until = null, due_at = least(due_at, now())
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending'
    and (leased_until is null or leased_by is null or leased_by = $4::int)`,
};

const defer = {
  name: 'defer_deliveries',
  text: `
  update delivery set due_at = now()
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending' and due_at > now()
    and (leased_until is null or leased_until < now())`,
};

const cancel = {
  name: 'cancel_deliveries',
  text: `
  update delivery set state = 'cancelled', leased_until = null, updated_at = now()
  where id = any($1::uuid[]) and id between $2 and $3 and state = 'pending'`,
};

/** Takes pending deliveries out of the ledger to work on, and gives them back. */
@Injectable()
export class Ledger {
  private readonly leaseMs: number;
  /** A delivery that is left to its job for longer than this needs no lease: the try will be over by then. */
  private readonly untouchedMs: number;

  constructor(
    private readonly database: Database,
    private readonly destinations: ActiveDestinations,
    private readonly presence: WorkerPresence,
    @Inject(Config) config: Config,
  ) {
    const { CDP_DELIVERY_TIMEOUT_MS } = config.env;
    this.leaseMs = leaseMsFor(CDP_DELIVERY_TIMEOUT_MS);
    this.untouchedMs = CDP_DELIVERY_TIMEOUT_MS + UNTOUCHED_MARGIN_MS;
  }

  /** Takes those of a job's deliveries that are pending and nobody works on. */
  async claim(ids: readonly string[]): Promise<ClaimedDelivery[]> {
    if (this.presence.isAlarmed) return this.lease(claimByIds, [ids, ...rangeOf(ids)]);
    const taken = await this.take(takeByIds, this.untouchedMs, [ids, ...rangeOf(ids)]);
    if (taken.length === ids.length) return taken;
    const takenIds = new Set(taken.map(({ id }) => id));
    const rest = ids.filter((id) => !takenIds.has(id));
    const leased = await this.lease(claimByIds, [rest, ...rangeOf(rest)]);
    return [...taken, ...leased];
  }

  /**
   * Leases deliveries of a destination that are due, the longest due first.
   * @param dueFrom leaves out what is due longer: where the last claim ended, so that nobody has to find a way
   * through all that was delivered since.
   */
  claimDue(destinationId: string, limit: number, dueFrom = '-infinity'): Promise<ClaimedDelivery[]> {
    return this.lease(claimDue, [destinationId, limit, dueFrom, this.presence.earlyMs]);
  }

  /** Leases the delivery that would be tried next, even when it is only due `withinMs` from now. */
  claimNext(destinationId: string, withinMs: number): Promise<ClaimedDelivery[]> {
    return this.lease(claimNext, [destinationId, withinMs]);
  }

  /** Destinations for which something is due that no process holds. */
  findBacklogs(): Promise<Backlog[]> {
    const { lost, earlyMs } = this.presence;
    return findBacklogs({ leaseMs: this.leaseMs, lost, earlyMs }, this.database);
  }

  /** Whether anything waits for the destination, however long it is put off. */
  async hasPending(destinationId: string): Promise<boolean> {
    return (await this.database.query(findPending, [destinationId])).length > 0;
  }

  /** Leases what this process holds without: somebody may be about to look for deliveries that nobody holds. */
  async secure(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.query(secure, [this.leaseMs, this.presence.id, ids, ...rangeOf(ids)]);
  }

  /** Gives up leases; the deliveries are due for whoever can take them. A lease that has ended may be another's by now. */
  async release(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const ids = claimed.filter(({ leaseEndsAt }) => performance.now() < leaseEndsAt).map(({ id }) => id);
    if (ids.length > 0) await this.database.query(release, [ids, ...rangeOf(ids), this.presence.id]);
  }

  /** Leaves deliveries to the backlog: they are due, and no job is about to take them. */
  async defer(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.database.query(defer, [ids, ...rangeOf(ids)]);
  }

  /** Gives back a delivery with which a destination that is down was probed in vain. */
  async park(probed: Outcome): Promise<void> {
    await parkAndLogProbe(probed, this.database);
  }

  /** Ends pending deliveries whose destination was deleted. */
  async cancel(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.database.query(cancel, [ids, ...rangeOf(ids)]);
  }

  private lease(statement: PreparedStatement, params: readonly unknown[]): Promise<ClaimedDelivery[]> {
    const { id, lost } = this.presence;
    return this.take(statement, this.leaseMs, [id, lost, ...params]);
  }

  private async take(
    statement: PreparedStatement,
    ms: number,
    params: readonly unknown[],
  ): Promise<ClaimedDelivery[]> {
    const start = performance.now();
    const rows = await this.database.query<ClaimedRow>(statement, [ms, ...params]);
    const version = rows[0]?.version;
    // The destinations as they are now: an edit, a pause or a rotated secret counts from the next try on.
    if (version !== undefined) await this.destinations.refresh(version);
    return rows.map((row) => ({
      id: row.id,
      destinationId: row.destination_id,
      attempts: row.attempts,
      attemptLimit: row.attempt_limit ?? undefined,
      probes: row.probes,
      dueAt: row.due_at,
      eventType: row.event_type,
      body: row.body ?? undefined,
      traceparent: row.traceparent ?? undefined,
      leaseEndsAt: start + row.lease_ms,
    }));
  }
}
