import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { BackgroundLoop } from '../background/background-loop';
import { Config } from '../config/config';
import { migrations } from '../database/migrations';
import { CONNECTION_DEFAULTS, demandSchema } from '../database/connections/open-pool';
import { doubtConnections } from '../database/connections/silence';

const TIMEOUT_MS = 2_000;
/** From one look of a process that stops to the next. */
const LOOK_AGAIN_MS = 250;
const NEWEST_MIGRATION = migrations.at(-1)?.name ?? '';

/** Whether PostgreSQL answers and has the tables of this version. */
export type DatabaseState = 'up' | 'down' | 'not_migrated';

/** Asks over a connection of its own, so that a busy pool of the hot path delays no answer. */
@Injectable()
export class DatabaseProbe {
  private client: Client | undefined;
  private running: Promise<DatabaseState> | undefined;
  private downSinceMs: number | undefined;

  private readonly looks = new BackgroundLoop(
    () => this.endVainWaits(),
    LOOK_AGAIN_MS,
    () => undefined,
  );

  constructor(private readonly config: Config) {}

  /** Callers at the same time share one question. Never rejects, and answers within seconds. */
  state(): Promise<DatabaseState> {
    this.running ??= this.ask().finally(() => (this.running = undefined));
    return this.running;
  }

  /**
   * For a process that stops: from now on, whenever PostgreSQL says nothing, what waits for it fails within seconds, as
   * in any outage, instead of waiting for most of the time there is to stop.
   */
  startEndingVainWaits(): void {
    this.looks.start();
  }

  /** Asks no more. */
  async close(): Promise<void> {
    await this.looks.stop();
    this.letGo(this.client);
  }

  private async endVainWaits(): Promise<void> {
    if ((await this.state()) === 'down') doubtConnections(performance.now());
  }

  private async ask(): Promise<DatabaseState> {
    const askedMs = performance.now();
    try {
      const client = (this.client ??= await this.connect());
      const { rowCount } = await client.query('select from migrations where name = $1', [NEWEST_MIGRATION]);
      if (this.downSinceMs !== undefined) doubtConnections(this.downSinceMs);
      this.downSinceMs = undefined;
      return rowCount === 0 ? 'not_migrated' : 'up';
    } catch {
      // This connection is not trusted any more, whatever the error was. The answer says the rest.
      this.letGo(this.client);
      this.downSinceMs ??= askedMs;
      return 'down';
    }
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      ...CONNECTION_DEFAULTS,
      connectionString: this.config.databaseUrl,
      application_name: 'cdp-service-health',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    client.on('error', () => this.letGo(client));
    await client.connect();
    try {
      await demandSchema(client);
    } catch (error) {
      this.letGo(client);
      throw error;
    }
    return client;
  }

  /** Waits for no goodbye: a connection that has fallen silent answers none. */
  private letGo(client: Client | undefined): void {
    if (this.client === client) this.client = undefined;
    client?.end().catch(() => undefined);
  }
}
