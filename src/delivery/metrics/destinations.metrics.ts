import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped } from '../../platform/metrics/scraped';
import { DEGRADED_SHARE, TRIED_OUTCOMES } from '../stats/failing-since';
import { countDeadLetters } from '../ledger/dead-letters/read-dead-letters';
import { DestinationStates } from '../stats/destination-states';

/** Destinations that are named at most: labels must stay few. */
const MAX_NAMED = 100;
/** Dead letters that are counted at most, the newest. */
const MAX_COUNTED = 100_000;

interface UnhealthyRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'blocked' | 'disabled' | 'down' | 'failing';
  readonly reason: string;
  readonly seconds: number;
}

// A destination that an operator paused is in the state that was asked for. Since when one is blocked nobody knows.
const readUnhealthySql = prepared('read_unhealthy_destinations')`
  with recent as (
    select destination_id, sum(count) as tries, sum(count) filter (where outcome <> 'delivered') as failures,
      min(coalesce(first_at, minute)) filter (where outcome <> 'delivered') as failing_since
    from delivery_minute m
    where outcome in (${TRIED_OUTCOMES}) and minute > now() - interval '5 minutes' and minute >= coalesce(
      (select since from destination_health h where h.destination_id = m.destination_id), '-infinity')
    group by 1
  )
  select d.id, d.name, w.state, coalesce(w.reason, 'many_failures') as reason,
    greatest(extract(epoch from now() - w.since), 0)::float8 as seconds
  from destination d
  left join destination_health h on h.destination_id = d.id
  left join recent r on r.destination_id = d.id
  left join unnest($1::uuid[], $2::text[]) as b(id, reason) on b.id = d.id
  cross join lateral (
    select 1 as place, 'blocked' as state, b.reason, now() as since where b.id is not null
    union all
    select 2, 'disabled', h.disabled_reason, h.disabled_at where not d.enabled and h.disabled_at is not null
    union all
    select 3, 'down', h.reason, h.since where d.enabled and h.breaker = 'open'
    union all
    select 4, 'failing', null, r.failing_since where d.enabled and r.failures > r.tries * ${DEGRADED_SHARE}
    order by place limit 1
  ) as w
  order by b.id, seconds desc limit ${MAX_NAMED}`;

/**
 * Names the destinations that want attention: those that are not healthy, and those with dead letters; at most a
 * hundred each. The same in every process, so take the maximum, not the sum.
 */
@Injectable()
export class DestinationsMetrics {
  constructor(metrics: Metrics, database: Database, states: DestinationStates) {
    const readUnhealthy = scraped(async () => {
      const obstacles = await states.obstacles(database);
      return database.query<UnhealthyRow>(readUnhealthySql, [[...obstacles.keys()], [...obstacles.values()]]);
    });
    metrics.gauge({
      name: 'destination_unhealthy_seconds',
      help: `For how long a destination has been down, disabled by the service, or failing at more than a tenth of its tries; 0 of one that is blocked, as no worker has its connector or its secrets are not readable; at most ${MAX_NAMED}, the blocked ones and those that have been so for longest.`,
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
