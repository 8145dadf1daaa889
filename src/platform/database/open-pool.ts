import { Pool, type PoolConfig } from 'pg';

/**
 * A pool that survives the loss of its connections. A client of `pg` that is checked out when its connection breaks
 * emits an `error` which, heard by nobody, would end the process: a restart of PostgreSQL would stop the service.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ keepAlive: true, ...config });
  // Reported by the query that meets the outage, or by the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
