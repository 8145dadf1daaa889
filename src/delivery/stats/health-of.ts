import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { OBSTACLES, type Obstacle } from '../presence/obstacles';

export const HEALTH_STATES = ['healthy', 'degraded', 'paused', 'disabled'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** What is the matter where no error class of a try says it. */
export const HEALTH_REASONS = ['by_operator', ...OBSTACLES, 'many_failures'] as const;
type HealthReason = (typeof HEALTH_REASONS)[number];

/** How a destination is doing. Times are ISO 8601. */
export interface Health {
  readonly state: HealthState;
  readonly reason: string | null;
  /** Since when it is so; null is not known. */
  readonly since: string | null;
  readonly nextProbeAt: string | null;
}

/** What is known of a destination beside how its tries went. */
export interface HealthRow {
  readonly destination_id: string;
  readonly switched_at: Date | null;
  readonly breaker: string;
  readonly reason: string | null;
  readonly since: Date;
  readonly disabled_reason: string | null;
  readonly disabled_at: Date | null;
  readonly probe_at: Date | null;
}

/** A destination, as far as its health goes. */
interface Watched {
  readonly enabled: boolean;
  readonly obstacle: Obstacle | undefined;
  readonly createdAt: string | null;
}

const readHealthSql = prepared('read_destination_health')`
  select * from destination_health where destination_id = any($1::uuid[])`;
const readUnwellSql = prepared('read_unwell_destinations')`
  select destination_id from destination_health where breaker = 'open' or disabled_at is not null`;

/** Rows by destination; there is none for one of which nothing was ever noted. */
export async function readHealth(ids: readonly string[], tx: Tx): Promise<Map<string, HealthRow>> {
  const rows = await tx.query<HealthRow>(readHealthSql, [ids]);
  return new Map(rows.map((row) => [row.destination_id, row]));
}

/** The destinations that are down, and those that the service disabled. */
export async function readUnwell(tx: Tx): Promise<string[]> {
  const rows = await tx.query<Pick<HealthRow, 'destination_id'>>(readUnwellSql);
  return rows.map(({ destination_id: id }) => id);
}

/** @param failing since when most of its tries fail */
export function healthOf(
  { enabled, obstacle, createdAt }: Watched,
  row: HealthRow | undefined,
  failing: Date | undefined,
): Health {
  const switchedAt = iso(row?.switched_at) ?? createdAt;
  const nothing = { reason: null, since: switchedAt, nextProbeAt: null };
  if (obstacle !== undefined) return { ...because(obstacle, null), state: 'degraded' };
  if (!enabled && row?.disabled_at) {
    return { ...nothing, state: 'disabled', reason: row.disabled_reason, since: iso(row.disabled_at) };
  }
  if (!enabled) return { ...because('by_operator', switchedAt), state: 'paused' };
  if (row?.breaker === 'open') {
    return { state: 'degraded', reason: row.reason, since: iso(row.since), nextProbeAt: iso(row.probe_at) };
  }
  if (failing !== undefined) {
    return { ...because('many_failures', iso(failing)), state: 'degraded' };
  }
  return { ...nothing, state: 'healthy' };
}

function because(reason: HealthReason, since: string | null): Omit<Health, 'state'> {
  return { reason, since, nextProbeAt: null };
}

function iso(date: Date | null | undefined): string | null {
  return date?.toISOString() ?? null;
}
