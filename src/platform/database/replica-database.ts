import { Injectable, Logger } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import { Config } from '../config/config';
import { isCancelled, mayPass } from './failure';
import { openPool } from './connections/open-pool';
import { type Connection, Database, type Statement, type Tx } from './database';
import { runStatement } from './statements/run-statement';

/** Listings are rare and may be slow; they never take more of the replica than this. */
const POOL_SIZE = 4;

/**
 * Read-only listings, on the replica named by `CDP_DATABASE_REPLICA_URL`; on the primary when there is none or
 * when it fails. A replica lags behind: never read here what decides a write.
 */
@Injectable()
export class ReplicaDatabase implements Tx {
  private readonly logger = new Logger(ReplicaDatabase.name);
  private readonly pool: Pool | undefined;
  private readonly replica: Connection | undefined;

  constructor(
    config: Config,
    private readonly primary: Database,
  ) {
    const url = config.database.replicaUrl;
    if (url === undefined) return;
    const pool = openPool({
      connectionString: url,
      max: POOL_SIZE,
      application_name: 'cdp-service-replica',
      connectionTimeoutMillis: 2_000,
    });
    this.pool = pool;
    this.replica = {
      client: pool,
      query: (statement, params = []) =>
        runStatement(pool, statement, params, config.database.preparedStatements),
    };
  }

  query<Row extends QueryResultRow>(
    statement: string | Statement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.read((connection) => connection.query<Row>(statement, params));
  }

  /** Runs `work` on the replica; on the primary, from its beginning, where that fails. */
  async read<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.replica === undefined) return work(this.primary);
    try {
      return await work(this.replica);
    } catch (error) {
      // The statement is at fault, or the replica: a query that stands in the way of its recovery is a race.
      // What takes the replica too long would take the primary too long.
      if (!mayPass(error) || isCancelled(error)) throw error;
      // The same rows are on the primary.
      this.logger.warn(`The read replica failed, reading from the primary instead: ${String(error)}`);
      return work(this.primary);
    }
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }
}
