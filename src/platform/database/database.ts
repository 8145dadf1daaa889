import { Injectable } from '@nestjs/common';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { Config } from '../config/config';
import { openPool } from './connections/open-pool';
import { runStatement } from './statements/run-statement';
import { transact } from './transactions/transact';

/** A statement that is planned for its parameters, each time. */
export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  /** How long it may take; `MAX_STATEMENT_MS` where it does not say. */
  readonly limitMs?: number;
  /** Has PostgreSQL read along an index where it might read far too much and sort that. */
  readonly sorts?: false;
  /**
   * Has PostgreSQL keep one plan for all parameters from the first time on. By itself it makes five for the parameters at
   * hand before, on each connection, which takes long where there are months of partitions, and may go on doing so.
   * What follows in the same transaction is planned likewise.
   */
  readonly plannedOnce?: true;
}

/**
 * A statement that PostgreSQL prepares once per connection: `name` must be unique in the service
 * and always stand for the same `text`. Those that never change are made by `prepared`.
 */
export interface PreparedStatement extends Statement {
  readonly name: string;
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
    statement: string | Statement,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

/** What SQL is sent to and, by `within`, the statements of TypeORM's repositories, too. */
export interface Connection extends Tx {
  readonly client: {
    query(text: string, values?: unknown[]): Promise<Pick<QueryResult, 'rows' | 'rowCount' | 'command'>>;
  };
}

/** A transaction that is under way. */
export interface OpenTransaction extends Connection {
  /**
   * Sends one statement whose answer nobody waits for, by the next round trip. When it fails, so does the transaction,
   * and all that is sent after it: no savepoint takes that back. So what runs between savepoints gets a `Tx`, which
   * cannot send.
   */
  send(statement: PreparedStatement, params?: readonly unknown[]): void;
}

/** The way to PostgreSQL of all that is written, and of what has to be quick. Every transaction begins here. */
@Injectable()
export class Database implements Connection {
  readonly pool: Pool;
  private readonly prepare: boolean;

  constructor(config: Config) {
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

  query<Row extends QueryResultRow>(
    statement: string | Statement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    return runStatement<Row>(this.pool, statement, params, this.prepare);
  }

  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T> {
    return transact(this.pool, this.prepare, work);
  }

  /** No shutdown hook of Nest: requests and jobs that are still running need the pool until the last of them. */
  async close(): Promise<void> {
    await this.pool.end();
  }
}
