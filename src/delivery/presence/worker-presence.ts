import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ConnectorRegistry } from '../../connectors/registry';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { leaseMsFor } from '../ledger/claiming/lease';
import { PresenceWatch } from './presence-watch';

const INTERVAL_MS = 1_000;
/** As long as there are no others. Whoever comes is careful for longer than this, and is seen by then. */
const INTERVAL_ALONE_MS = 2_000;
/** An outage of the queue is noted at most this often. While it is noted every worker is careful. */
const NOTE_INTERVAL_MS = 30_000;
/** How long a delivery is left to its job while a worker is gone or the queue was away. */
const SHORT_GRACE_MS = 5_000;

// Counting and looking at the others is one statement; it sees its own row as it was before.
const beatSql = prepared('beat_delivery_worker')`
  with beat as (
    insert into delivery_worker as w (id, beats, connectors, unreadable) values ($1, 1, $2, $3)
    on conflict (id) do update set beats = w.beats + 1, unreadable = excluded.unreadable
  )
  select id, beats::text from delivery_worker where id <> $1`;
const newIdSql = `select nextval(pg_get_serial_sequence('delivery_worker', 'id'))::int as id`;
const noteSql = prepared('note_lost_jobs')`insert into delivery_worker default values`;
const forgetSql = prepared('forget_delivery_workers')`delete from delivery_worker where id = any($1::int[])`;

/**
 * Says of this worker that it is alive, and learns which others are not: each counts up a number every second. What a
 * worker holds that is gone others take within seconds, instead of when its leases, or the grace of its jobs, end.
 *
 * Most deliveries are held without a lease, because their job has a grace of half a minute. So before anybody shortens
 * that grace, everybody marks what it holds: who is silent for two seconds alarms the others, who then take leases for
 * everything they have and get; after five it is gone, and what no other worker has marked is free.
 */
@Injectable()
export class WorkerPresence implements OnApplicationBootstrap {
  private readonly logger = new Logger(WorkerPresence.name);
  private readonly watch = new PresenceWatch();
  private readonly forgetAfterMs: number;
  private readonly graceMs: number;
  private readonly isWorker: boolean;
  private noteAt = 0;
  private isAlone = false;
  /** Whether PostgreSQL took the last beat. */
  private isHeard = false;
  /** By `performance.now()`. */
  private leftAt = Number.NEGATIVE_INFINITY;
  /** Of this worker's row; undefined before its first beat. */
  id: number | undefined;
  private readonly loop = new BackgroundLoop(
    () => this.beat(),
    () => (this.isAlone ? INTERVAL_ALONE_MS : INTERVAL_MS),
    (error) => this.logger.debug(`This worker could not say that it is alive: ${String(error)}`),
  );

  constructor(
    private readonly database: Database,
    private readonly connectors: ConnectorRegistry,
    private readonly destinations: ActiveDestinations,
    config: Config,
  ) {
    this.isWorker = config.hasRole('worker');
    this.graceMs = config.delivery.graceMs;
    // By then all leases of a worker that is gone have ended.
    this.forgetAfterMs = 2 * leaseMsFor(config.delivery.timeoutMs);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.isWorker) return;
    await this.beat().catch((error: unknown) => this.logger.debug(`No first beat: ${String(error)}`));
    this.loop.start();
  }

  /**
   * @param isDone nothing is in hand. Otherwise, or where leases may be left, no goodbye is said, so that others soon take
   * over.
   */
  async leave(isDone: boolean): Promise<void> {
    // The goodbye after the last beat, which would make the row again. Nobody hears one where nobody heard that.
    await this.loop.stop();
    const hasLeases = performance.now() - this.leftAt < this.forgetAfterMs;
    if (this.id === undefined || !this.isHeard || !isDone || hasLeases) return;
    await this.database.query(forgetSql, [[this.id]]).catch(() => undefined);
  }

  /** An outage has left something to this worker, in PostgreSQL, that it has not in hand: until its lease ends. */
  noteLeft(): void {
    this.leftAt = performance.now();
  }

  /** Whether a worker may be gone, or jobs may be lost: deliveries are held by leases only. */
  get isAlarmed(): boolean {
    return this.watch.isAlarmed;
  }

  /** Workers that are gone: their leases count no more. */
  get lost(): readonly number[] {
    return this.watch.lost;
  }

  /** How much earlier than its row says a delivery is due that no worker holds. */
  get earlyMs(): number {
    return this.lost.length === 0 ? 0 : Math.max(this.graceMs - SHORT_GRACE_MS, 0);
  }

  /**
   * The queue was away and may have lost jobs: a worker that never counts stands for it, so that everybody learns it.
   */
  noteLostJobs(): void {
    const now = performance.now();
    if (now < this.noteAt) return;
    this.noteAt = now + NOTE_INTERVAL_MS;
    this.database.query(noteSql).catch(() => (this.noteAt = 0));
  }

  private async beat(): Promise<void> {
    this.isHeard = false;
    this.id ??= (await this.database.query<{ id: number }>(newIdSql))[0]?.id;
    const rows = await this.database.query<{ id: number; beats: string }>(beatSql, [
      this.id,
      this.connectors.ids(),
      this.unreadable(),
    ]);
    this.isHeard = true;
    this.isAlone = rows.length === 0;
    this.watch.look(new Map(rows.map(({ id, beats }) => [id, beats])), performance.now());
    const over = this.watch.silentFor(this.forgetAfterMs);
    if (over.length > 0) await this.database.query(forgetSql, [over]);
  }

  /** Ids of the destinations whose secrets this worker cannot open. */
  private unreadable(): string[] {
    const all = [...this.destinations.snapshot.values()];
    return all.filter(({ secretsReadable }) => !secretsReadable).map(({ id }) => id);
  }
}
