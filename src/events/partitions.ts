import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { BackgroundLoop } from '../platform/background/background-loop';
import { Config } from '../platform/config/config';
import { eventTables } from './event-tables';
import { maintainPartitions, type PartitionChanges } from './maintain-partitions';
import type { PartitionedTable } from './partition-plan';

/** Often enough to be retried many times before the partitions made ahead are used up. */
const INTERVAL_MS = 10 * 60_000;

/**
 * Keeps the partitions of all partitioned tables: made ahead of time and dropped whole after retention. Every
 * process does so when it boots, before it listens; workers go on doing it.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Partitions.name);
  private readonly tables: PartitionedTable[];
  private readonly loop = new BackgroundLoop(
    () => this.maintainAndTell(),
    INTERVAL_MS,
    // Partitions are made well ahead.
    (error) => this.logger.warn(`Partitions could not be maintained, next try later: ${String(error)}`),
  );

  constructor(@Inject(Config) private readonly config: Config) {
    this.tables = eventTables(config);
  }

  /** Adds a table of another module; call it in a constructor, so that boot sees it. */
  register(table: PartitionedTable): void {
    this.tables.push(table);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.maintain();
    if (!this.config.hasRole('worker')) return;
    this.loop.start();
  }

  onApplicationShutdown(): void {
    void this.loop.stop();
  }

  /** Brings every table up to date. @throws when PostgreSQL is away or a table stays locked. */
  async maintain(nowMs: number = Date.now()): Promise<PartitionChanges> {
    // A connection of its own: it holds an advisory lock, and sets what the pool must not keep.
    const client = new Client({
      connectionString: this.config.directDatabaseUrl,
      application_name: 'cdp-service-partitions',
    });
    client.on('error', () => undefined); // The query that meets the outage reports it.
    await client.connect();
    try {
      return await maintainPartitions(client, this.tables, nowMs);
    } finally {
      await client.end();
    }
  }

  private async maintainAndTell(): Promise<void> {
    const { created, dropped } = await this.maintain();
    if (created.length + dropped.length > 0) this.logger.log({ msg: 'Partitions changed', created, dropped });
  }
}
