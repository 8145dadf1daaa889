import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase, Pool, PoolClient, QueryResultRow } from 'pg';
import { Config } from '../config/config';
import { MAX_IDLE_IN_TRANSACTION_MS, openPool } from './open-pool';
import { limitSilence, MAX_SILENCE_MS } from './silence';

/**
 * A statement that PostgreSQL prepares once per connection: `name` must be unique in the service
 * and always stand for the same `text`.
 */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /** How long it may take; `MAX_STATEMENT_MS` where it does not say. */
  readonly limitMs?: number;
}

/** For statements that walk through whole tables at the wish of an operator. */
export const LONG_STATEMENT_MS = 10 * 60_000;

/**
 * A transaction that its process is silent in is undone. A machine that lost its power or its network says no goodbye:
 * PostgreSQL would keep the locks of its people and inbox rows for hours, until TCP gives up. Sent with `begin` and good
 * for one transaction, which any pooler lets through.
 */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${MAX_IDLE_IN_TRANSACTION_MS}`;

/** Something SQL can be sent to: a transaction, or the pool outside of one. */
export interface Tx {
  /** Runs one statement and returns its rows. */
  query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

/** What SQL is sent to and, by `within`, the statements of TypeORM's repositories, too. */
export interface Connection extends Tx {
  readonly client: ClientBase | Pool;
}

/** The way to PostgreSQL of all that is written, and of what has to be quick. Every transaction begins here. */
@Injectable()
export class Database implements Tx {
  readonly pool: Pool;
  private readonly prepare: boolean;

  constructor(@Inject(Config) config: Config) {
    this.prepare = config.database.preparedStatements;
    this.pool = openPool({
      connectionString: config.databaseUrl,
      max: config.database.poolSize,
      application_name: 'cdp-service',
    });
  }

  async query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    if (limitOf(statement) !== undefined) return this.transaction((tx) => tx.query<Row>(statement, params));
    return runStatement<Row>(this.pool, statement, params, this.prepare);
  }

  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. */
  async transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(BEGIN);
      const result = await work({
        client,
        query: (statement, params = []) => runInTransaction(client, statement, params, this.prepare),
      });
      await client.query('commit');
      return result;
    } catch (error) {
      // A rollback that fails means a dead connection; the pool then discards it.
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** No shutdown hook of Nest: requests and jobs that are still running need the pool until the last of them. */
  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** Sends one statement, which gets the time that it asks for. */
async function runInTransaction<Row extends QueryResultRow>(
  client: PoolClient,
  statement: string | PreparedStatement,
  params: readonly unknown[],
  prepare: boolean,
): Promise<Row[]> {
  const limitMs = limitOf(statement);
  if (limitMs === undefined) return runStatement<Row>(client, statement, params, prepare);
  await client.query(`set local statement_timeout = ${limitMs}`);
  limitSilence(client, limitMs + MAX_SILENCE_MS);
  try {
    return await runStatement<Row>(client, statement, params, prepare);
  } finally {
    limitSilence(client, MAX_SILENCE_MS);
  }
}

function limitOf(statement: string | PreparedStatement): number | undefined {
  return typeof statement === 'string' ? undefined : statement.limitMs;
}

/** Sends one statement; as plain text when the way to PostgreSQL cannot keep prepared ones. */
export async function runStatement<Row extends QueryResultRow>(
  client: Pool | PoolClient,
  statement: string | PreparedStatement,
  params: readonly unknown[],
  prepare: boolean,
): Promise<Row[]> {
  const text = typeof statement === 'string' ? statement : statement.text;
  const name = prepare && typeof statement !== 'string' ? statement.name : undefined;
  const result = await client.query<Row>({ name, text, values: [...params] });
  return result.rows;
}
