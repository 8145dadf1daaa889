import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped } from '../../platform/metrics/scraped';
import { DEGRADED_SHARE, TRIED_OUTCOMES } from '../stats/failing-since';
import { countDeadLetters } from '../ledger/dead-letters/read-dead-letters';

/** Destinations that are named at most: labels must stay few. */
const MAX_NAMED = 100;
/** Dead letters that are counted at most, the newest. */
const MAX_COUNTED = 100_000;

interface UnhealthyRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'disabled' | 'down' | 'failing';
  readonly reason: string;
  readonly seconds: number;
}

// A destination that an operator paused is in the state that was asked for.
const readUnhealthySql = prepared('read_unhealthy_destinations')`
  with recent as (
    select destination_id, sum(count) as tries, sum(count) filter (where outcome <> 'delivered') as failures,
      min(coalesce(first_at, minute)) filter (where outcome <> 'delivered') as failing_since
    from delivery_minute m
    where outcome in (${TRIED_OUTCOMES}) and minute > now() - interval '5 minutes' and minute >= coalesce(
      (select since from destination_health h where h.destination_id = m.destination_id), '-infinity')
    group by 1
  )
  select d.id, d.name,
    case when not d.enabled then 'disabled' when h.breaker = 'open' then 'down' else 'failing' end as state,
    coalesce(case when not d.enabled then h.disabled_reason when h.breaker = 'open' then h.reason end, 'many_failures') as reason,
    greatest(extract(epoch from now() -
      case when not d.enabled then h.disabled_at when h.breaker = 'open' then h.since else failing_since end), 0)::float8 as seconds
  from destination d
  left join destination_health h on h.destination_id = d.id
  left join recent r on r.destination_id = d.id
  where not d.enabled and h.disabled_at is not null
    or d.enabled and (h.breaker = 'open' or r.failures > r.tries * ${DEGRADED_SHARE})
  order by seconds desc limit ${MAX_NAMED}`;

/**
 * Names the destinations that want attention: those that are not healthy, and those with dead letters; at most a
 * hundred each. The same in every process, so take the maximum, not the sum.
 */
@Injectable()
export class DestinationsMetrics {
  constructor(metrics: Metrics, database: Database) {
    const readUnhealthy = scraped(() => database.query<UnhealthyRow>(readUnhealthySql));
    metrics.gauge({
      name: 'destination_unhealthy_seconds',
      help: `For how long a destination has been down, disabled by the service, or failing at more than a tenth of its tries; the ${MAX_NAMED} that have been so for longest.`,
      labelNames: ['destination', 'destination_id', 'state', 'reason'],
      async collect() {
        this.reset();
        for (const { id, name, state, reason, seconds } of (await readUnhealthy()) ?? []) {
          this.set({ destination: name, destination_id: id, state, reason }, seconds);
        }
      },
    });
    const readDead = scraped(() => countDeadLetters(MAX_COUNTED, MAX_NAMED, database));
    metrics.gauge({
      name: 'dead_letters',
      help: `Deliveries that were given up and neither replayed nor discarded: the newest ${MAX_COUNTED}, of the ${MAX_NAMED} destinations that have most.`,
      labelNames: ['destination', 'destination_id'],
      async collect() {
        this.reset();
        for (const { destinationId, destinationName, count } of (await readDead()) ?? []) {
          this.set({ destination: destinationName ?? 'deleted', destination_id: destinationId }, count);
        }
      },
    });
  }
}
