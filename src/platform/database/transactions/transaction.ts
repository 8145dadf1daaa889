import type { Duplex } from 'node:stream';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { begin, isPrepared, queryWithBegin } from './begin';
import type { OpenTransaction, PreparedStatement, Statement } from '../database';
import { followsFailure } from '../failure';
import { limitSilence, MAX_SILENCE_MS } from '../connections/silence';
import { limitOf, queryOf, settingsOf, USUAL_LIMIT_SQL } from '../statements/statement';

/** A transaction on a connection of the pool. It begins with its first statement. */
export class Transaction implements OpenTransaction {
  readonly client = {
    query: (text: string, values?: unknown[]) => this.run({ text, values: values ?? [] }),
  };
  private begun: Promise<void> | undefined;
  /** Statements that nobody waits for, until the commit. */
  private readonly sent: Promise<void>[] = [];
  /** What failed last by itself: whatever is sent behind it is refused for that. */
  private failure: unknown;
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
    const settings = settingsOf(statement, this.prepare);
    if (settings.length === 0) return (await this.run<Row>(query)).rows;
    const limitMs = limitOf(statement) ?? 0;
    limitSilence(this.pooled, limitMs + MAX_SILENCE_MS);
    try {
      // They travel together, and the statement alone is waited for.
      for (const text of settings) this.submit({ text }).catch((error: unknown) => this.causeOf(error));
      const answer = this.run<Row>(query);
      if (limitMs > 0) this.submit({ text: USUAL_LIMIT_SQL }).catch((error: unknown) => this.causeOf(error));
      return (await answer).rows;
    } finally {
      limitSilence(this.pooled, MAX_SILENCE_MS);
    }
  }

  send(statement: PreparedStatement, params: readonly unknown[] = []): void {
    const sent = this.submit(queryOf(statement, params, this.prepare)).then(
      () => undefined,
      (error: unknown) => {
        throw this.causeOf(error);
      },
    );
    sent.catch(() => undefined); // The commit reports it.
    this.sent.push(sent);
  }

  /**
   * Travels with what was sent last; nothing may follow.
   * @throws when one of the statements that nobody waited for failed
   */
  async commit(): Promise<void> {
    // So that it is behind what was sent in this turn.
    await this.begun;
    this.ended = true;
    if (this.begun === undefined) return;
    // PostgreSQL's answer to the commit of a transaction in which a statement failed is that it was undone: no error.
    const [{ command }] = await Promise.all([this.pooled.query('commit'), ...this.sent]);
    if (command === 'ROLLBACK') throw this.failure ?? new Error('The transaction was undone.');
  }

  /** Runs behind whatever is under way; nothing may follow. */
  async rollBack(): Promise<void> {
    this.ended = true;
    if (this.begun !== undefined) await this.pooled.query('rollback');
  }

  private async run<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    try {
      return await this.submit<Row>(query);
    } catch (error) {
      throw this.causeOf(error);
    }
  }

  private causeOf(error: unknown): unknown {
    if (!followsFailure(error)) this.failure = error;
    return this.failure ?? error;
  }

  private async submit<Row extends QueryResultRow>(query: QueryConfig): Promise<QueryResult<Row>> {
    this.demandGoingOn();
    if (this.begun === undefined && isPrepared(this.pooled, query)) {
      this.begun = Promise.resolve();
      return this.cork(() => queryWithBegin<Row>(this.pooled, query));
    }
    this.begun ??= begin(this.pooled);
    await this.begun;
    return this.cork(() => this.pooled.query<Row>(query));
  }

  /** The connection may be another's by now: a statement was not waited for when the transaction failed. */
  private demandGoingOn(): void {
    if (this.ended) throw new Error('The transaction has ended.');
  }

  /** What is sent in one turn is one write. */
  private cork<Result>(send: () => Promise<Result>): Promise<Result> {
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
