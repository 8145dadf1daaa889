import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import type { DestinationDto } from '../../destinations/dto/destination.dto';
import { timeOfId } from '../../events/partitions/partition-plan';
import { Database, type Tx } from '../../platform/database/database';
import type { CountedOutcome } from '../stats/delivery-counter';
import { failingSince } from '../stats/failing-since';
import { healthOf, readHealth } from '../stats/health-of';
import { percentile } from '../stats/latency-class';
import { roundMs } from '../stats/round-ms';
import type { DeliveryStatsDto, DestinationStatsDto } from './dto/destination-operations.dto';

interface CountRow {
  readonly outcome: CountedOutcome;
  readonly latency_class: number;
  readonly hour: number;
  readonly day: number;
}

interface PendingRow {
  readonly pending: number;
  readonly dead: number;
  readonly oldest_id: string | null;
  readonly now_ms: number;
}

/** More than this is not counted: it says the same, and would take long. */
const MAX_COUNT = 100_000;

const countsSql = `
  select outcome, latency_class, sum(count)::int as day,
    coalesce(sum(count) filter (where minute > now() - interval '1 hour'), 0)::int as hour
  from delivery_minute
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
    // One snapshot, so that the success rate and the state beside it agree.
    return this.database.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      return this.read(destination, tx);
    });
  }

  private async read(destination: DestinationDto, tx: Tx): Promise<DestinationStatsDto> {
    const { id } = destination;
    const health = await readHealth([id], tx);
    const failing = await failingSince([id], tx);
    const counts = await tx.query<CountRow>(countsSql, [id]);
    const [backlog] = await tx.query<PendingRow>(backlogSql, [id]);
    return {
      health: healthOf(destination, health.get(id), failing.get(id)),
      pending: backlog?.pending ?? 0,
      deadLetters: backlog?.dead ?? 0,
      oldestPendingSeconds: backlog === undefined ? null : oldestSeconds(backlog),
      lastHour: statsOf(counts, 'hour'),
      lastDay: statsOf(counts, 'day'),
    };
  }
}

function oldestSeconds({ oldest_id, now_ms }: PendingRow): number | null {
  return oldest_id === null ? null : Math.max(0, Math.round((now_ms - timeOfId(oldest_id)) / 1000));
}

function statsOf(counts: readonly CountRow[], span: 'hour' | 'day'): DeliveryStatsDto {
  const sum = (outcome: CountRow['outcome']): number =>
    counts.filter((row) => row.outcome === outcome).reduce((total, row) => total + row[span], 0);
  const [delivered, failed, dead, expired] = [sum('delivered'), sum('failed'), sum('dead'), sum('expired')];
  const tries = delivered + failed + dead;
  const latencies = new Map(
    counts.filter(({ outcome }) => outcome === 'delivered').map((row) => [row.latency_class, row[span]]),
  );
  const at = (share: number): number | null =>
    delivered === 0 ? null : roundMs(percentile(latencies, share) ?? null);
  return {
    delivered,
    failed,
    dead: dead + expired,
    // Not up: 1 means that none failed.
    successRate: tries === 0 ? null : Math.floor((delivered / tries) * 10_000) / 10_000,
    latency: { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) },
  };
}
