import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import { Config } from '../config/config';
import { isCancelled, mayPass } from './failure';
import { openPool } from './open-pool';
import { Database, type PreparedStatement, type Tx } from './database';
import { runStatement } from './statement';

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

  constructor(
    @Inject(Config) private readonly config: Config,
    private readonly primary: Database,
  ) {
    const url = config.database.replicaUrl;
    if (url === undefined) return;
    this.pool = openPool({
      connectionString: url,
      max: POOL_SIZE,
      application_name: 'cdp-service-replica',
      connectionTimeoutMillis: 2_000,
    });
  }

  async query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    params: readonly unknown[] = [],
  ): Promise<Row[]> {
    if (this.pool === undefined) return this.primary.query<Row>(statement, params);
    try {
      return await runStatement<Row>(this.pool, statement, params, this.config.database.preparedStatements);
    } catch (error) {
      // The statement is at fault, or the replica: a query that stands in the way of its recovery is a race.
      // What takes the replica too long would take the primary too long.
      if (!mayPass(error) || isCancelled(error)) throw error;
      // The same rows are on the primary.
      this.logger.warn(`The read replica failed, reading from the primary instead: ${String(error)}`);
      return this.primary.query<Row>(statement, params);
    }
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }
}
