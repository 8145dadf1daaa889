import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { Metrics } from './metrics';

/** How busy the connections of the hot path are. */
@Injectable()
export class DatabasePoolMetrics {
  constructor(metrics: Metrics, { pool }: Database) {
    metrics.gauge({
      name: 'database_pool_connections',
      help: 'Connections of the hot path to PostgreSQL, by state.',
      labelNames: ['state'],
      collect() {
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      },
    });
    metrics.gauge({
      name: 'database_pool_waiting',
      help: 'Callers that wait for a connection of the hot path.',
      collect() {
        this.set(pool.waitingCount);
      },
    });
  }
}
