import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Client } from 'pg';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { BootError } from '../../platform/boot/boot-error';
import { Config } from '../../platform/config/config';
import { type ClockComparison, compareClocks } from '../../platform/database/connections/database-clock';
import { withOwnConnection } from '../../platform/database/connections/own-connection';
import { endWhenSilent } from '../../platform/database/connections/silence';
import { dropDeadEvents } from './drop-dead-events';
import { dropPartitions, type UnfinishedWork } from './drop-partitions';
import { eventTables, unprocessedEvents } from './event-tables';
import { type MadePartitions, makePartitions } from './make-partitions';
import type { PartitionedTable } from './partition-plan';

/** Often enough to be retried many times before the partitions made ahead are used up. */
const INTERVAL_MS = 10 * 60_000;
/** ANALYZE and the check of a partition that is attached take longer than other statements. */
const MAX_SILENCE_MS = 5 * 60_000;

/** What one run changed, by partition name. */
interface PartitionChanges {
  readonly created: string[];
  readonly dropped: string[];
}

/**
 * Keeps the partitions of all partitioned tables, by PostgreSQL's clock: made ahead of time, by every process when it
 * boots and every ten minutes, and dropped whole after retention, by workers in the background.
 *
 * Nothing unfinished is dropped with its partition: that one stays until the work is done. And while PostgreSQL's clock
 * and that of this process differ nothing is dropped at all, for either may be the wrong one.
 */
@Injectable()
export class Partitions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Partitions.name);
  private readonly tables: PartitionedTable[];
  private readonly unfinished = new Map<string, UnfinishedWork[]>();
  private kept: ReadonlyMap<string, string> = new Map();
  private readonly loop = new BackgroundLoop(
    () => this.maintain(),
    INTERVAL_MS,
    // Partitions are made well ahead.
    (error) => this.logger.warn(`Partitions could not be maintained, next try later: ${String(error)}`),
  );

  constructor(private readonly config: Config) {
    this.tables = eventTables(config);
    this.keepWhile('event', unprocessedEvents);
  }

  /** Adds a table of another module; call it in a constructor, so that boot sees it. */
  register(table: PartitionedTable): void {
    this.tables.push(table);
  }

  /** Has the partitions of `table` kept past retention while there is such work in them. */
  keepWhile(table: string, work: UnfinishedWork): void {
    this.unfinished.set(table, [...(this.unfinished.get(table) ?? []), work]);
  }

  /** How many partitions the last run has kept past their retention. */
  get keptCount(): number {
    return this.kept.size;
  }

  /** @throws BootError when what comes now would have no partition to go to. */
  async onApplicationBootstrap(): Promise<void> {
    const { missingNow } = await this.make();
    if (missingNow.length > 0) {
      throw new BootError(
        `${missingNow.join(', ')} cannot be made, and what comes now has nowhere else to go: another session has ` +
          'a lock on the table. Find it in pg_locks and end it.',
      );
    }
    this.loop.start();
  }

  onApplicationShutdown(): void {
    void this.loop.stop();
  }

  /** Makes and, where workers are, drops what is due. @throws when PostgreSQL is away. */
  async maintain(asOfMs?: number): Promise<PartitionChanges> {
    const { created } = await this.make(asOfMs);
    const dropped = this.config.hasRole('worker') ? await this.drop(asOfMs) : [];
    if (created.length + dropped.length > 0) this.logger.log({ msg: 'Partitions changed', created, dropped });
    return { created, dropped };
  }

  /** Makes what is missing. @throws when PostgreSQL is away. */
  async make(asOfMs?: number): Promise<MadePartitions> {
    return this.withClient(async (client, { nowMs }) => {
      const made = await makePartitions(client, this.tables, asOfMs ?? nowMs);
      if (made.blocked.length > 0) {
        const msg = 'Partitions are made later: another session has a lock on their table';
        this.logger.warn({ msg, partitions: made.blocked });
      }
      return made;
    });
  }

  private async drop(asOfMs?: number): Promise<string[]> {
    return this.withClient(async (client, { nowMs, differ }) => {
      if (differ) return []; // `ClockWatch` has said so.
      const { dropped, kept } = await dropPartitions(client, this.tables, this.unfinished, asOfMs ?? nowMs);
      for (const [partition, reason] of kept) {
        if (this.kept.get(partition) === reason) continue;
        this.logger.warn({ msg: `A partition is kept past its retention: ${reason}`, partition });
      }
      this.kept = kept;
      await dropDeadEvents(client);
      return dropped;
    });
  }

  private async withClient<T>(work: (client: Client, clock: ClockComparison) => Promise<T>): Promise<T> {
    return withOwnConnection(this.config.directDatabaseUrl, 'cdp-service-partitions', async (client) => {
      endWhenSilent(client, MAX_SILENCE_MS);
      return work(client, await compareClocks(client));
    });
  }
}
