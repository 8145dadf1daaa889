import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import type { DestinationDto } from '../../destinations/dto/destination.dto';
import { Database } from '../../platform/database/database';
import { timeOfId } from '../batches/plan-batches';
import { DEGRADED_SHARE } from '../breaker/degraded-share';
import { percentile } from '../stats/latency-class';
import type {
  DeliveryStatsDto,
  DestinationHealthDto,
  DestinationStatsDto,
} from './dto/destination-operations.dto';

interface HealthRow {
  readonly switched_at: Date | null;
  readonly breaker: string;
  readonly reason: string | null;
  readonly since: Date;
  readonly disabled_reason: string | null;
  readonly disabled_at: Date | null;
  readonly probe_at: Date | null;
}

interface CountRow {
  readonly outcome: 'delivered' | 'failed' | 'dead';
  readonly latency_class: number;
  readonly hour: number;
  readonly day: number;
  readonly recent: number;
  /** Since the destination was last found to be back, or switched on. */
  readonly hourSince: number;
  readonly daySince: number;
}

interface BacklogRow {
  readonly pending: number;
  readonly dead: number;
  readonly oldest_id: string | null;
  readonly now_ms: number;
}

/** More than this is not counted: it says the same, and would take long. */
const MAX_COUNT = 100_000;

const healthSql = 'select * from destination_health where destination_id = $1';
// The first failure after the last minute in which most tries succeeded.
const failingSinceSql = `
  with minutes as (
    select minute, sum(count) as tries, coalesce(sum(count) filter (where outcome <> 'delivered'), 0) as failures
    from delivery_minute where destination_id = $1 and minute > now() - interval '1 day'
    group by minute
  )
  select min(minute) as since from minutes
  where failures > 0 and minute > coalesce(
    (select max(minute) from minutes where failures <= tries * ${DEGRADED_SHARE}), '-infinity')`;
// What failed before the destination was found to be back says nothing of it now.
const countsSql = `
  with back as (
    select coalesce((select since from destination_health where destination_id = $1), '-infinity') as since
  )
  select outcome, latency_class, sum(count)::int as day,
    coalesce(sum(count) filter (where minute > now() - interval '1 hour'), 0)::int as hour,
    coalesce(sum(count) filter (where minute >= since), 0)::int as "daySince",
    coalesce(sum(count) filter (where minute >= since and minute > now() - interval '1 hour'), 0)::int as "hourSince",
    coalesce(sum(count) filter (where minute >= since and minute > now() - interval '5 minutes'), 0)::int as recent
  from delivery_minute, back
  where destination_id = $1 and minute > now() - interval '1 day'
  group by outcome, latency_class`;
// The oldest is looked for among those that are due first: reading all of them could take long.
const backlogSql = `
  select
    (select count(*)::int from (
      select from delivery where destination_id = $1 and state = 'pending' limit ${MAX_COUNT}) p) as pending,
    (select count(*)::int from (
      select from delivery where destination_id = $1 and state = 'dead' limit ${MAX_COUNT}) d) as dead,
    (select id from (
      select id from delivery where destination_id = $1 and state = 'pending' order by due_at limit 1000) first_due
      order by id limit 1) as oldest_id,
    (extract(epoch from now()) * 1000)::float8 as now_ms`;

/** How deliveries to a destination are doing. */
@Injectable()
export class DestinationStats {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationsService,
  ) {}

  /** @throws DestinationNotFoundError */
  async of(destinationId: string): Promise<DestinationStatsDto> {
    const destination = await this.destinations.findOne(destinationId);
    const [[health], [failing], counts, [backlog]] = await Promise.all([
      this.database.query<HealthRow & Record<string, unknown>>(healthSql, [destinationId]),
      this.database.query<{ since: Date | null }>(failingSinceSql, [destinationId]),
      this.database.query<CountRow & Record<string, unknown>>(countsSql, [destinationId]),
      this.database.query<BacklogRow & Record<string, unknown>>(backlogSql, [destinationId]),
    ]);
    return {
      health: healthOf(destination, health, { counts, failingSince: failing?.since ?? null }),
      pending: backlog?.pending ?? 0,
      deadLetters: backlog?.dead ?? 0,
      oldestPendingSeconds: backlog === undefined ? null : oldestSeconds(backlog),
      lastHour: statsOf(counts, 'hour'),
      lastDay: statsOf(counts, 'day'),
    };
  }
}

function healthOf(
  { enabled, connectorInstalled, createdAt }: DestinationDto,
  row: HealthRow | undefined,
  { counts, failingSince }: { counts: readonly CountRow[]; failingSince: Date | null },
): DestinationHealthDto {
  const switchedAt = iso(row?.switched_at) ?? createdAt;
  const nothing = { reason: null, since: switchedAt, nextProbeAt: null };
  // Whatever else is the matter: nothing is sent, and what is there for the destination waits.
  if (!connectorInstalled)
    return { state: 'degraded', reason: 'connector_not_installed', since: null, nextProbeAt: null };
  if (!enabled && row?.disabled_at) {
    return { ...nothing, state: 'disabled', reason: row.disabled_reason, since: iso(row.disabled_at) };
  }
  if (!enabled) return { ...nothing, state: 'paused', reason: 'by_operator' };
  if (row?.breaker === 'open') {
    return { state: 'degraded', reason: row.reason, since: iso(row.since), nextProbeAt: iso(row.probe_at) };
  }
  if (isFailing(counts)) {
    return { ...nothing, state: 'degraded', reason: 'many_failures', since: iso(failingSince) };
  }
  return { ...nothing, state: 'healthy' };
}

/** Many tries of the last five minutes failed; or, when there were none, all of the last hour or day that had some. */
function isFailing(counts: readonly CountRow[]): boolean {
  const share = (['recent', 'hourSince', 'daySince'] as const).map(
    (span) => statsOf(counts, span).successRate,
  );
  if (share[0] !== null && share[0] !== undefined) return share[0] < 1 - DEGRADED_SHARE;
  return share.find((rate) => rate !== null) === 0;
}

function oldestSeconds({ oldest_id, now_ms }: BacklogRow): number | null {
  return oldest_id === null ? null : Math.max(0, (now_ms - timeOfId(oldest_id)) / 1000);
}

function statsOf(
  counts: readonly CountRow[],
  span: 'hour' | 'day' | 'recent' | 'hourSince' | 'daySince',
): DeliveryStatsDto {
  const sum = (outcome: CountRow['outcome']): number =>
    counts.filter((row) => row.outcome === outcome).reduce((total, row) => total + row[span], 0);
  const [delivered, failed, dead] = [sum('delivered'), sum('failed'), sum('dead')];
  const tries = delivered + failed + dead;
  const latencies = new Map(
    counts.filter(({ outcome }) => outcome === 'delivered').map((row) => [row.latency_class, row[span]]),
  );
  const at = (share: number): number | null =>
    delivered === 0 ? null : (percentile(latencies, share) ?? null);
  return {
    delivered,
    failed,
    dead,
    successRate: tries === 0 ? null : delivered / tries,
    latency: { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) },
  };
}

function iso(date: Date | null | undefined): string | null {
  return date?.toISOString() ?? null;
}
