import { Inject, Injectable } from '@nestjs/common';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { Config } from '../config/config';
import { openPool } from './open-pool';
import { limitOf, runStatement } from './statement';
import { Transaction } from './transaction';

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

/** Something SQL can be sent to: a transaction, or the pool outside of one. */
export interface Tx {
  /**
   * Runs one statement and returns its rows. Statements of a transaction run in the order of the calls; those that are
   * called without waiting for each other (`Promise.all`) travel together, and the first that fails is the error.
   */
  query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

/** What SQL is sent to and, by `within`, the statements of TypeORM's repositories, too. */
export interface Connection extends Tx {
  readonly client: { query(text: string, values?: unknown[]): Promise<QueryResult> };
}

/** The way to PostgreSQL of all that is written, and of what has to be quick. Every transaction begins here. */
@Injectable()
export class Database implements Connection {
  readonly pool: Pool;
  private readonly prepare: boolean;

  constructor(@Inject(Config) config: Config) {
    this.prepare = config.database.preparedStatements;
    this.pool = openPool({
      connectionString: config.databaseUrl,
      max: config.database.poolSize,
      application_name: 'cdp-service',
      pipeline: true,
    });
  }

  /** For reads by `within`: each statement on any connection of the pool. */
  get client(): Pool {
    return this.pool;
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
    const transaction = new Transaction(client, this.prepare);
    let broken: Error | undefined;
    try {
      const result = await work(transaction);
      await transaction.end('commit');
      return result;
    } catch (error) {
      // A rollback that fails means a dead connection; the pool then discards it.
      await transaction.end('rollback').catch((rollbackError: Error) => (broken = rollbackError));
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
