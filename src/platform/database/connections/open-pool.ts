import { type ClientBase, Pool, type PoolConfig, type QueryResult } from 'pg';
import { BootError } from '../../boot/boot-error';
import { schemaIn } from './schema';
import { LeanClient } from './lean-client';
import { endWhenSilent, MAX_SILENCE_MS } from './silence';

/**
 * What PostgreSQL may take for a statement that does not ask for more. Less than the silence that ends a connection.
 */
export const MAX_STATEMENT_MS = 0.8 * MAX_SILENCE_MS;

/** After this time PostgreSQL ends a transaction whose process is silent, and its locks are free. */
export const MAX_IDLE_IN_TRANSACTION_MS = 30_000;

/** After a minute PostgreSQL ends a connection whose other end is gone, and the locks of its session are free. */
const NOTICE_LOSS = `
  set tcp_keepalives_idle = 30;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3`;

/**
 * What a connection begins with; by a statement, because poolers refuse settings at the start of a connection.
 * - Compiling a statement takes PostgreSQL longer than running any of ours.
 * - Statements find rows by indexes. Of a table that is small PostgreSQL would plan to read all, and keep that plan while
 *   it grows by thousands of rows a second, until it looks at the table again: in a new service, and each day anew.
 * - What the service has given up goes on nowhere for long: statements, transactions and connections.
 * - Times are written in ISO 8601, in which they are read, whatever style the database or the role has.
 */
const SESSION = `
  set jit = off;
  set enable_seqscan = off;
  set datestyle = iso;
  set statement_timeout = ${MAX_STATEMENT_MS};
  set idle_in_transaction_session_timeout = ${MAX_IDLE_IN_TRANSACTION_MS};
  ${NOTICE_LOSS}`;

/** What a connection begins with whose work takes as long as it takes, whatever the role of the service says. */
export const LONG_SESSION = `
  set statement_timeout = 0;
  ${NOTICE_LOSS}`;

/**
 * For every connection there is, to notice that the other end is gone: at the beginning by a timeout, while an answer
 * is waited for or nothing is to be said by TCP, 20 s after the last sign of life.
 */
export const CONNECTION_DEFAULTS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
};

/** For every pool, TypeORM's too: connections that no outage can make hang, see {@link endWhenSilent}. */
export const POOL_DEFAULTS = {
  ...CONNECTION_DEFAULTS,
  Client: LeanClient,
  /** Less, and what is done a few times a minute opens one each time. */
  idleTimeoutMillis: 60_000,
  /** With a connection go the plans that it keeps, also those of definitions that are gone. */
  maxLifetimeSeconds: 3_600,
  /** The pool waits for it, although its types do not say so. */
  onConnect: async (client: ClientBase): Promise<void> => {
    endWhenSilent(client, MAX_SILENCE_MS);
    await client.query(SESSION);
    await demandSchema(client);
  },
};

/** What `pg` does not tell of in its types. */
interface Connected {
  readonly connectionParameters?: { readonly options?: string | null };
}

/**
 * Sees to it that a connection is in the schema of its address. A pooler may have ignored that, and its connections be
 * in the schema of another service.
 * @throws BootError
 */
export async function demandSchema(client: ClientBase): Promise<void> {
  const wanted = schemaIn((client as Connected).connectionParameters?.options);
  if (wanted === undefined) return;
  const { rows }: QueryResult<{ schema: string | null }> = await client.query(
    'select current_schema() as schema',
  );
  const schema = rows[0]?.schema ?? null;
  if (schema === wanted) return;
  throw new BootError(
    `A connection is in ${schema === null ? 'no schema' : `the schema ${schema}`} and not in ${wanted} ` +
      '(CDP_DATABASE_SCHEMA). "npm run migrate" makes the schema. Where a pooler ignores search_path, each service ' +
      `needs a role of its own: alter role ... set search_path = ${wanted}.`,
  );
}

/**
 * A pool that survives the loss of its connections. A client of `pg` that is checked out when its connection breaks
 * emits an `error`. Without a listener it would end the process: a restart of PostgreSQL would stop the service.
 */
export function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...POOL_DEFAULTS, ...config });
  // Reported by the query that meets the outage, or by the next one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
