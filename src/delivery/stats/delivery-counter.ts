import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { ErrorClass } from '../../connectors/error-classes';
import { GatheredKinds } from '../../platform/background/gathered-kinds';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { DeliveryMetrics } from '../metrics/delivery.metrics';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { latencyClassOf } from './latency-class';

/**
 * What the statistics tell apart. `failed` is a try after which there will be another one; `expired` is no try, but a
 * delivery given up for its age.
 */
export type CountedOutcome = 'delivered' | 'failed' | 'dead' | 'expired';

/**
 * What transformations did is counted beside: `untransformed` are those of the dead for which one failed, `unwanted`
 * are no tries, since it left nothing to send.
 */
type CountedTransformation = 'untransformed' | 'unwanted';

const UNTRANSFORMED: ErrorClass = 'transformation_failed';
const UNWANTED: ErrorClass = 'transformed_to_nothing';

const FLUSH_MS = 1_000;

// Sorted, so that two workers that count for the same minute wait for each other but never in a circle. A minute ends
// where the destination is switched on or found to be back: what failed before says nothing of it from then on, also
// when it is written after.
const addCountsSql = prepared('add_delivery_counts')`
  with counted as (
    select destination_id, outcome, latency_class, count, now() - age_ms * interval '1 millisecond' as at
    from unnest($1::uuid[], $2::text[], $3::smallint[], $4::int[], $5::float8[])
      as c(destination_id, outcome, latency_class, count, age_ms)
  ), placed as materialized (
    select destination_id,
      case when at < h.since then date_trunc('minute', at) else greatest(date_trunc('minute', at), h.since) end as minute,
      outcome, latency_class, count, at
    from counted left join destination_health h using (destination_id)
  )
  insert into delivery_minute as m (destination_id, minute, outcome, latency_class, count, first_at)
  select * from placed order by destination_id, outcome, latency_class
  on conflict (destination_id, minute, outcome, latency_class) do update set count = m.count + excluded.count`;

interface Count {
  readonly destinationId: string;
  readonly outcome: CountedOutcome | CountedTransformation;
  readonly latencyClass: number;
  /** The first, by `performance.now()`. */
  readonly firstMs: number;
  count: number;
}

/** Counts tries per destination, outcome, latency and minute. A crash loses the counts of a second, nothing else. */
@Injectable()
export class DeliveryCounter implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryCounter.name);
  private readonly counts = new GatheredKinds<Count>({
    everyMs: FLUSH_MS,
    write: (counts) => this.write(counts),
    // These are statistics; the ledger is exact.
    report: (error) => this.logger.debug(`Counts of deliveries are lost: ${String(error)}`),
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: DeliveryMetrics,
  ) {}

  onModuleInit(): void {
    this.counts.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.counts.stop();
  }

  /** What is dead is counted by {@link countDead}. @param times how many tries came to this */
  count(tried: DeliveryOutcome, times = 1): void {
    this.metrics.tried(tried, times);
    const {
      delivery: { destinationId },
      state,
      totalMs,
      errorClass,
    } = tried;
    if (errorClass === UNTRANSFORMED) this.addUntimed(destinationId, 'untransformed', times);
    if (errorClass === UNWANTED) this.addUntimed(destinationId, 'unwanted', times);
    if (state === 'cancelled' || state === 'dead') return;
    this.add(destinationId, state === 'pending' ? 'failed' : state, {
      latencyClass: latencyClassOf(totalMs),
      times,
    });
  }

  /** Of the latency of deliveries that failed nothing is told. */
  countDead(destinationId: string, outcome: 'dead' | 'expired'): void {
    this.metrics.dead();
    this.addUntimed(destinationId, outcome, 1);
  }

  private addUntimed(destinationId: string, outcome: Count['outcome'], times: number): void {
    this.add(destinationId, outcome, { latencyClass: 0, times });
  }

  private add(
    destinationId: string,
    outcome: Count['outcome'],
    { latencyClass, times }: { readonly latencyClass: number; readonly times: number },
  ): void {
    const kind = this.counts.find(`${destinationId} ${outcome} ${latencyClass}`, () => {
      return { destinationId, outcome, latencyClass, firstMs: performance.now(), count: 0 };
    });
    if (kind !== undefined) kind.count += times;
  }

  private async write(counts: readonly Count[]): Promise<void> {
    const nowMs = performance.now();
    await this.database.query(addCountsSql, [
      counts.map(({ destinationId }) => destinationId),
      counts.map(({ outcome }) => outcome),
      counts.map(({ latencyClass }) => latencyClass),
      counts.map(({ count }) => count),
      counts.map(({ firstMs }) => nowMs - firstMs),
    ]);
  }
}
