import type { PreparedStatement, Tx } from '../../../platform/database/database';
import { unplannedList } from '../../../platform/database/statements/unplanned';
import { hasKnownTries, type KnownTries, triesParam } from './known-tries';
import { isFree } from './lease';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';
import { isOneOf, isStillPending } from '../found-by-id';

/** A delivery as a claim returns it. */
export interface ClaimedRow {
  readonly id: string;
  readonly destination_id: string;
  readonly attempts: number;
  readonly attempt_limit: number | null;
  readonly probes: number;
  readonly event_type: string;
  readonly body: string | null;
  /** Null of notices. */
  readonly source_id: string | null;
  readonly due_at: string;
  readonly traceparent: string | null;
  /** In a destination with an order whose it is, unless it was passed. */
  readonly person: string | null;
  /** Of all destinations, when the delivery was claimed. */
  readonly version: string;
  /** For how long no other worker takes the delivery. */
  readonly lease_ms: number;
}

/** The worker that claims, and those whose leases no longer count. */
export interface Claimant {
  readonly leaseMs: number;
  /** The worker; undefined before it has said that it is alive. */
  readonly workerId: number | undefined;
  /** Workers that are gone. */
  readonly lost: readonly number[];
}

const BODY_COLUMNS =
  'id, destination_id, attempts, attempt_limit, probes, event_type, payload, subject, event_timestamp, event_id, due_at, traceparent, person';
/** What a claim needs of the delivery `d`. */
export const RETURNED = `d.id, d.destination_id, d.attempts, d.attempt_limit, d.probes, d.event_type, d.payload,
      d.subject, d.event_timestamp, d.event_id, d.due_at, d.traceparent,
      case when d.passed_at is null then d.person end as person, $1::float8 as lease_ms`;
const leased = (fromId: string): string => `
    update delivery d set leased_until = now() + $1 * interval '1 millisecond', leased_by = $2::int
    where ${isOneOf('due')} and d.id >= ${fromId}
    returning ${RETURNED}`;
const FREE = `state = 'pending' and ${isFree({ leaseMs: '$1', lost: '$3' })}`;
// `limit 1` keeps this a lookup of one row in one partition, whatever the planner thinks of the tables. Of a table with
// one row without statistics it expects thousands: joined, each claim seemed to be worth compiling.
export const WITH_BODY = `
  select c.id, c.destination_id, c.attempts, c.attempt_limit, c.probes, c.event_type, c.lease_ms, c.due_at::text as due_at,
    c.traceparent, c.person::text as person,
    coalesce(c.payload, e.payload)::text as body, e.source_id, (select version::text from destination_change) as version
  from leased c
  left join lateral (
    select event.payload, event.source_id::text as source_id from event
    where event.subject = c.subject and event."timestamp" = c.event_timestamp and event.id = c.event_id
    limit 1
  ) e on c.payload is null`;

// Until due_at a delivery belongs to the one job that was made for it: no other worker takes it, so when enough of that
// time is left it needs no lease, which would cost as much as all the rest. Where there is an order a lease says that
// the delivery is under way; and so it does of later tries, which operators may make due at any time.
const takeByIdsSql = prunedStatement(
  'take_deliveries_by_id',
  (fromId) => `
  with leased as (
    select ${BODY_COLUMNS}, (extract(epoch from due_at - now()) * 1000)::float8 as lease_ms
    from delivery
    where id = any(${unplannedList('$2', 'uuid')}) and ${isBetween('id', '$3', '$4')} and id >= ${fromId} and ${isStillPending()} and leased_until is null
      and due_at > now() + $1 * interval '1 millisecond' and attempts = 0 and person is null
      and ${hasKnownTries({ ids: '$2', tries: '$5' })}
  ) ${WITH_BODY}`,
);

/** Parameters of a statement. */
interface FreeByIds {
  readonly leaseMs: string;
  readonly lost: string;
  readonly ids: string;
  readonly range: readonly [lowest: string, highest: string];
  readonly tries: string;
}

// The range of ids repeats what the list says, because it is what partitions are pruned by.
const freeByIds = (fromId: string, { leaseMs, lost, ids, range, tries }: FreeByIds): string => `
    select id from delivery
    where id = any(${unplannedList(ids, 'uuid')}) and ${isBetween('id', ...range)} and id >= ${fromId} and due_at < 'infinity'
      and ${isStillPending()} and ${isFree({ leaseMs, lost })} and ${hasKnownTries({ ids, tries })}`;

const leaseByIdsSql = prunedStatement(
  'claim_deliveries_by_id',
  (fromId) => `
  with due as (
    ${freeByIds(fromId, { leaseMs: '$1', lost: '$3', ids: '$4', range: ['$5', '$6'], tries: '$7' })}
    for update skip locked
  ), leased as (${leased(fromId)}) ${WITH_BODY}`,
);

const findFreeByIdsSql = prunedStatement('find_free_deliveries_by_id', (fromId) =>
  freeByIds(fromId, { leaseMs: '$1', lost: '$2', ids: '$3', range: ['$4', '$5'], tries: '$6' }),
);

const leaseDueSql = prunedStatement(
  'claim_due_deliveries',
  (fromId) => `
  with due as (
    select id from delivery
    where destination_id = $4 and id >= ${fromId} and due_at >= $6 and due_at <= now() + $7 * interval '1 millisecond' and ${FREE}
    order by due_at limit $5 for update skip locked
  ), leased as (${leased(fromId)}) ${WITH_BODY}`,
);

// What is due within the grace may be on its way, lease or not, as in `hurry-deliveries.ts`.
const leaseNextSql = prunedStatement(
  'claim_next_delivery',
  (fromId) => `
  with due as (
    select id from delivery
    where destination_id = $4 and id >= ${fromId} and due_at <= now() + $5 * interval '1 millisecond' and ${FREE}
      and (due_at <= now() or due_at > now() + $6 * interval '1 millisecond')
    order by due_at limit 1 for update skip locked
  ), leased as (${leased(fromId)}) ${WITH_BODY}`,
);

/**
 * Takes, without a lease, those of the deliveries that are left to their jobs for at least `untouchedMs` more, and had
 * no try.
 * @transition pending --> pending
 */
export function takeByIds(
  ids: readonly string[],
  tries: KnownTries,
  untouchedMs: number,
  tx: Tx,
): Promise<ClaimedRow[]> {
  const range = rangeOfIds(ids);
  return tx.query<ClaimedRow>(takeByIdsSql(beginOf(range[0])), [
    untouchedMs,
    ids,
    ...range,
    triesParam(ids, tries),
  ]);
}

/** Leases those of the deliveries that no worker holds, and that had no other try. */
export function leaseByIds(
  claimant: Claimant,
  ids: readonly string[],
  tries: KnownTries,
  tx: Tx,
): Promise<ClaimedRow[]> {
  const range = rangeOfIds(ids);
  return lease(leaseByIdsSql(beginOf(range[0])), claimant, [ids, ...range, triesParam(ids, tries)], tx);
}

/**
 * Those that {@link leaseByIds} would lease. Of those that it has just left out, another transaction has the row: one of
 * people who become others, or are deleted.
 */
export async function findFreeByIds(
  { leaseMs, lost }: Omit<Claimant, 'workerId'>,
  ids: readonly string[],
  tries: KnownTries,
  tx: Tx,
): Promise<string[]> {
  const range = rangeOfIds(ids);
  const params = [leaseMs, lost, ids, ...range, triesParam(ids, tries)];
  const rows = await tx.query<{ id: string }>(findFreeByIdsSql(beginOf(range[0])), params);
  return rows.map(({ id }) => id);
}

/** Which of the deliveries that are due to claim, the longest due first. */
interface DueClaim {
  readonly destinationId: string;
  readonly limit: number;
  /** What is due longer is left out. As PostgreSQL writes times. */
  readonly dueFrom: string;
  /** How much earlier than it says a delivery is due. */
  readonly earlyMs: number;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

export function leaseDue(
  claimant: Claimant,
  { destinationId, limit, dueFrom, earlyMs, pendingFrom }: DueClaim,
  tx: Tx,
): Promise<ClaimedRow[]> {
  return lease(leaseDueSql(pendingFrom), claimant, [destinationId, limit, dueFrom, earlyMs], tx);
}

/** Which delivery to claim before it is due. */
interface NextClaim extends Pick<DueClaim, 'destinationId' | 'pendingFrom'> {
  readonly withinMs: number;
  /** For which a delivery is left to its job. */
  readonly graceMs: number;
}

/** Leases the delivery that would be tried next, if it is due within `withinMs`, and no job is about to try it. */
export function leaseNext(
  claimant: Claimant,
  { destinationId, withinMs, graceMs, pendingFrom }: NextClaim,
  tx: Tx,
): Promise<ClaimedRow[]> {
  return lease(leaseNextSql(pendingFrom), claimant, [destinationId, withinMs, graceMs], tx);
}

function lease(
  statement: PreparedStatement,
  { leaseMs, workerId, lost }: Claimant,
  params: readonly unknown[],
  tx: Tx,
): Promise<ClaimedRow[]> {
  return tx.query<ClaimedRow>(statement, [leaseMs, workerId, lost, ...params]);
}
