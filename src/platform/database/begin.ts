import {
  type Connection,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { MAX_IDLE_IN_TRANSACTION_MS } from './open-pool';

/**
 * What a transaction begins with. One that its process is silent in is undone: a machine that lost its power or its
 * network says no goodbye, and PostgreSQL would keep the locks of its people and inbox rows for hours, until TCP gives
 * up. The limit is good for one transaction, which any pooler lets through.
 */
const BEGIN = [
  { name: 'begin_transaction', text: 'begin' },
  {
    name: 'limit_silence_of_transaction',
    text: `set local idle_in_transaction_session_timeout = ${MAX_IDLE_IN_TRANSACTION_MS}`,
  },
] as const;

/** Begins a transaction. @param prepare whether the way to PostgreSQL keeps prepared statements */
export async function begin(client: PoolClient, prepare: boolean): Promise<void> {
  if (prepare) for (const statement of BEGIN) await client.query(statement);
  else await client.query(BEGIN.map(({ text }) => text).join('; '));
}

/** What `pg` does not tell of in its types. */
interface Prepared {
  readonly connection: Connection & {
    readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  };
}

/** Whether a transaction has begun on this connection before, so that {@link queryWithBegin} may be used. */
export function knowsBegin(client: PoolClient): boolean {
  const { parsedStatements } = (client as PoolClient & Prepared).connection;
  return BEGIN.every(({ name }) => parsedStatements[name] !== undefined);
}

/**
 * Runs a statement that begins its transaction. PostgreSQL gets both at once, and runs the statement only if the
 * transaction has begun: a round trip costs both sides as much as a small statement.
 * @param config with a name: a plain text is a message of its own
 */
export function queryWithBegin<Row extends QueryResultRow>(
  client: PoolClient,
  config: QueryConfig,
): Promise<QueryResult<Row>> {
  const query = new Query(config);
  const submit = query.submit.bind(query);
  query.submit = (connection) => {
    // Without `sync` in between: if one fails, all that follows up to the next `sync` is skipped.
    for (const { name } of BEGIN) {
      connection.bind({ statement: name, values: [] }, true);
      connection.execute({}, true);
    }
    submit(connection);
  };
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
