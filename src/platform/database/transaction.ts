import type { Duplex } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { begin, isPrepared, queryWithBegin } from './begin';
import type { Connection, Statement } from './database';
import { limitSilence, MAX_SILENCE_MS } from './silence';
import { limitOf, queryOf } from './statement';

/** A transaction on a connection of the pool. It begins with its first statement. */
export class Transaction implements Connection {
  readonly client = {
    query: (text: string, values?: unknown[]) => this.send({ text, values: values ?? [] }),
  };
  private begun: Promise<void> | undefined;
  private ended = false;

  /** @param prepare whether the way to PostgreSQL keeps prepared statements */
  constructor(
    private readonly pooled: PoolClient,
    private readonly prepare: boolean,
  ) {}

  async query<Row extends QueryResultRow>(
    statement: string | Statement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    const query = queryOf(statement, params, this.prepare);
    const limitMs = limitOf(statement);
    if (limitMs === undefined) return (await this.send<Row>(query)).rows;
    await this.send({ text: `set local statement_timeout = ${limitMs}` });
    limitSilence(this.pooled, limitMs + MAX_SILENCE_MS);
    try {
      return (await this.send<Row>(query)).rows;
    } finally {
      limitSilence(this.pooled, MAX_SILENCE_MS);
    }
  }

  /** Runs behind whatever is under way; nothing may follow. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.ended = true;
    if (this.begun !== undefined) await this.pooled.query(how);
  }

  private async send<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    this.demandGoingOn();
    if (this.begun === undefined && isPrepared(this.pooled, query)) {
      this.begun = Promise.resolve();
      return this.submit(() => queryWithBegin<Row>(this.pooled, query));
    }
    this.begun ??= begin(this.pooled);
    await this.begun;
    return this.submit(() => this.pooled.query<Row>(query));
  }

  /** The connection may be another's by now: a statement was not waited for when the transaction failed. */
  private demandGoingOn(): void {
    if (this.ended) throw new Error('The transaction has ended.');
  }

  /** What is sent in one turn is one write. */
  private submit<Result>(send: () => Promise<Result>): Promise<Result> {
    this.demandGoingOn();
    const { stream } = (this.pooled as PoolClient & Connected).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    return send();
  }
}

/** What `pg` does not tell of in its types. */
interface Connected {
  readonly connection: { readonly stream: Duplex };
}
