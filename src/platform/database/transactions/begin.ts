import {
  type Connection,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { MAX_IDLE_IN_TRANSACTION_MS } from '../connections/open-pool';

/**
 * What a transaction begins with. One that its process is silent in is undone: a machine that lost its power or its
 * network says no goodbye, and PostgreSQL would keep the locks of its people and inbox rows for hours, until TCP gives
 * up. The limit is good for one transaction, which any pooler lets through.
 */
const BEGIN = ['begin', `set local idle_in_transaction_session_timeout = ${MAX_IDLE_IN_TRANSACTION_MS}`];

/** Begins a transaction. */
export async function begin(client: PoolClient): Promise<void> {
  await client.query(BEGIN.join('; '));
}

/** What `pg` does not tell of in its types. */
interface Prepared {
  readonly connection: Connection & {
    readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  };
}

/** Whether {@link queryWithBegin} may be used: `pg` takes whatever is parsed before a statement for that statement. */
export function isPrepared(client: PoolClient, { name }: QueryConfig): boolean {
  const { parsedStatements } = (client as PoolClient & Prepared).connection;
  return name !== undefined && parsedStatements[name] !== undefined;
}

/**
 * Runs a statement that begins its transaction. PostgreSQL gets both at once, and runs the statement only if the
 * transaction has begun: a round trip costs both sides as much as a small statement.
 *
 * The beginning is not prepared itself. A pooler, or whoever says `discard all`, may have lost what was; the statements
 * that travel behind this one would each be a transaction of their own then.
 * @param config of a statement that this connection has prepared: a plain text is a message of its own
 */
export function queryWithBegin<Row extends QueryResultRow>(
  client: PoolClient,
  config: QueryConfig,
): Promise<QueryResult<Row>> {
  const query = new Query(config);
  const submit = query.submit.bind(query);
  const submitBehindBegin: Query['submit'] = (connection) => {
    // Without `sync` in between: if one fails, all that follows up to the next `sync` is skipped.
    for (const text of BEGIN) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.bind({ statement: '', values: [] }, true);
      connection.execute({}, true);
    }
    submit(connection);
  };
  query.submit = submitBehindBegin; // Not as it is made: see `lean-client.ts`.
  return new Promise((resolve, reject) => {
    // Of several statements there are several results.
    const callback = (error: Error | null, results: QueryResult<Row>[]): void => {
      const last = results?.at(-1);
      if (error === null && last !== undefined) resolve(last);
      else reject(error ?? new Error('PostgreSQL answered nothing.'));
    };
    void client.query(query as never, callback as never);
  });
}
