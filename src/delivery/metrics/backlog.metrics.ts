import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped } from '../../platform/metrics/scraped';
import { firstDueAtSql } from '../ledger/first-due';
import { withPendingDestinations } from '../ledger/pending-destinations';
import { PendingFrom } from '../ledger/pending-from';
import { prunedStatement } from '../ledger/pruned-statement';
import { DestinationStates } from '../stats/destination-states';

const STATES = ['up', 'down', 'disabled', 'blocked'] as const;

// A destination for which nothing waits adds nothing. The first half of a UUIDv7 is the time in milliseconds.
const readBacklogSql = prunedStatement(
  'read_delivery_backlog',
  (fromId) => `${withPendingDestinations(fromId)}
  select
    case when d.id = any($1::uuid[]) then 'blocked' when not d.enabled then 'disabled'
      when h.breaker = 'open' then 'down' else 'up' end as state,
    coalesce(max(extract(epoch from clock_timestamp()) - oldest.made_at), 0)::float8 as oldest_seconds,
    coalesce(max(extract(epoch from clock_timestamp() - ${firstDueAtSql('d.id', fromId)})), 0)::float8
      as overdue_seconds
  from pending_of p
  join destination d on d.id = p.destination_id
  left join destination_health h on h.destination_id = d.id
  left join lateral (
    select ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0 as made_at
    from delivery where destination_id = d.id and state = 'pending' and id >= ${fromId} order by due_at limit 1
  ) oldest on true
  group by 1`,
);

interface BacklogFigures {
  readonly state: (typeof STATES)[number];
  readonly oldest_seconds: number;
  readonly overdue_seconds: number;
}

/** How long deliveries have been waiting. The same in every process, so take the maximum, not the sum. */
@Injectable()
export class BacklogMetrics {
  constructor(metrics: Metrics, database: Database, states: DestinationStates, pendingFrom: PendingFrom) {
    const read = scraped(async () => {
      const blocked = [...(await states.obstacles(database)).keys()];
      return database.query<BacklogFigures>(readBacklogSql(pendingFrom.id), [blocked]);
    });
    const gauge = (name: string, help: string, value: (row: BacklogFigures) => number): void => {
      metrics.gauge({
        name,
        help,
        labelNames: ['destination_state'],
        async collect() {
          const rows = await read();
          this.reset();
          if (rows === undefined) return;
          for (const state of STATES) this.set({ destination_state: state }, 0);
          for (const row of rows) this.set({ destination_state: row.state }, Math.max(0, value(row)));
        },
      });
    };
    gauge(
      'delivery_oldest_seconds',
      'Age of the delivery that is due first, the greatest of all destinations in a state (up, down, disabled; blocked: no worker has its connector, or its secrets are not readable).',
      (row) => row.oldest_seconds,
    );
    gauge(
      'delivery_overdue_seconds',
      'How long the delivery, or the batch, that is due first has been due, the greatest of all destinations in a state.',
      (row) => row.overdue_seconds,
    );
  }
}
