/** Why nothing at all is sent to a destination at this moment. */
export const DESTINATION_WAITS_FOR = [
  'destination_paused',
  'destination_disabled',
  'destination_down',
  'connector_not_installed',
] as const;
export type DestinationWaitsFor = (typeof DESTINATION_WAITS_FOR)[number];

/** Why a pending delivery is not sent at this moment. */
export const WAITS_FOR = [...DESTINATION_WAITS_FOR, 'batch', 'next_try', 'rate_limit'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What sending to a destination depends on, as PostgreSQL has it. */
export interface WaitingDestinationRow {
  /** Null when the destination was deleted. */
  readonly enabled: boolean | null;
  readonly is_disabled: boolean;
  readonly is_down: boolean;
}

/** What a delivery's waiting depends on. */
export interface WaitingRow extends WaitingDestinationRow {
  readonly state: string;
  readonly is_leased: boolean;
  readonly is_in_batch: boolean;
  /** When the next try is planned for, in milliseconds since 1970; null when that is not in the future. */
  readonly next_try_ms: number | null;
  readonly has_permits: boolean;
}

/** What to select of `destination t` and `destination_health h` for {@link destinationWaitsFor}. */
export const WAITING_DESTINATION_COLUMNS = `
  t.enabled, coalesce(h.disabled_at is not null, false) as is_disabled, coalesce(h.breaker = 'open', false) as is_down`;
/** What to join for them. @param column the id of the destination */
export const waitingDestinationJoins = (column: string): string => `
  left join destination t on t.id = ${column}
  left join destination_health h on h.destination_id = ${column}`;

/** What to select of `delivery d` for {@link waitsFor}; $1 is the grace that a due time includes, in milliseconds. */
export const WAITING_COLUMNS = `
  coalesce(d.leased_until > now(), false) as is_leased, d.due_at = 'infinity' as is_in_batch,
  case when d.state = 'pending' and isfinite(d.due_at) and d.due_at > now() + $1::float8 * interval '1 millisecond'
    then extract(epoch from d.due_at)::float8 * 1000 - $1 end as next_try_ms,
  ${WAITING_DESTINATION_COLUMNS},
  t.rate_limit is null or jsonb_typeof(t.rate_limit) = 'null' or coalesce(
    r.tokens + (t.rate_limit ->> 'perSecond')::float8 * extract(epoch from now() - r.at)::float8 >= 1, true) as has_permits`;
export const WAITING_JOINS = `
  ${waitingDestinationJoins('d.destination_id')}
  left join destination_rate r on r.destination_id = d.destination_id`;

/** What everything for a destination waits for; null when it is sent, or the destination was deleted. */
export function destinationWaitsFor(
  row: WaitingDestinationRow,
  connectorInstalled: boolean,
): DestinationWaitsFor | null {
  if (row.enabled === null) return null;
  if (!connectorInstalled) return 'connector_not_installed';
  if (!row.enabled) return row.is_disabled ? 'destination_disabled' : 'destination_paused';
  return row.is_down ? 'destination_down' : null;
}

/** What a delivery waits for; null when it is over or about to be sent. */
export function waitsFor(row: WaitingRow, connectorInstalled: boolean): WaitsFor | null {
  if (row.state !== 'pending' || row.enabled === null) return null;
  const all = destinationWaitsFor(row, connectorInstalled);
  if (all !== null) return all;
  if (row.is_in_batch) return 'batch';
  if (row.is_leased) return null;
  if (row.next_try_ms !== null) return 'next_try';
  return row.has_permits ? null : 'rate_limit';
}
