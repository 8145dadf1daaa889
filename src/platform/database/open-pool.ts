import { type ClientBase, Pool, type PoolConfig } from 'pg';

/**
 * Compiling a statement takes PostgreSQL longer than running any of ours. A statement of its own, because poolers
 * refuse settings at the start of a connection.
 */
const SESSION = 'set jit = off';

/** What every pool of the service has in common, TypeORM's too. */
export const POOL_DEFAULTS = {
  keepAlive: true,
  // The pool waits for it, whatever its types say.
  onConnect: (client: ClientBase): Promise<unknown> => client.query(SESSION),
};

/**
 * A pool that survives the loss of its connections. A client of `pg` that is checked out when its connection breaks
 * emits an `error` which, heard by nobody, would end the process: a restart of PostgreSQL would stop the service.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...POOL_DEFAULTS, ...config });
  // Reported by the query that meets the outage, or by the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
