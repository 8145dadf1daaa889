import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../database/database';
import { ThrottledWarning } from '../logging/throttled-warning';
import { BackgroundLoop } from './background-loop';

const INTERVAL_MS = 1_000;

/** What a module waits for in PostgreSQL. */
export interface Awaited<Value> {
  /** A query that returns one value; a look at an index, because every process makes it every second. */
  readonly sql: string;
  /**
   * Called with the value after each look, unless the last call is still under way.
   * @param lookedAtMs when the look began, of `performance.now()`: what changed later it may not have seen
   */
  readonly act: (value: Value, lookedAtMs: number) => Promise<unknown>;
  /** Called when `act` has failed; the next look follows. */
  readonly report: (error: unknown) => void;
}

/** That a module is told what it waits for. */
export class Watch {
  private acting: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly awaited: Awaited<unknown>) {}

  get sql(): string {
    return this.awaited.sql;
  }

  /** Long work looks at this between its parts. */
  get stopping(): boolean {
    return this.stopped;
  }

  tell(value: unknown, lookedAtMs: number): void {
    if (this.stopped || this.acting !== undefined) return;
    this.acting = this.act(value, lookedAtMs).finally(() => (this.acting = undefined));
  }

  /** Nothing is told any more; resolves when what was told is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.acting;
  }

  private async act(value: unknown, lookedAtMs: number): Promise<void> {
    try {
      await this.awaited.act(value, lookedAtMs);
    } catch (error) {
      // May stop here: the next look takes it up again, and a process that stops has taken away what the work needs.
      if (!this.stopped) this.awaited.report(error);
    }
  }
}

/**
 * Looks every second, with one statement for the whole process, whether there is in PostgreSQL what its modules wait
 * for. Each of them would ask at least as often: a hundred idle workers would be thousands of statements a second.
 */
@Injectable()
export class Lookout implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly warning = new ThrottledWarning(new Logger(Lookout.name));
  private readonly watches: Watch[] = [];
  private readonly loop = new BackgroundLoop(
    () => this.look(),
    INTERVAL_MS,
    (error) => this.warning.warn(`PostgreSQL does not say what there is to do: ${String(error)}`),
  );

  constructor(private readonly database: Database) {}

  /** To be called before the service has booted. */
  watch<Value>(awaited: Awaited<Value>): Watch {
    const watch = new Watch(awaited as Awaited<unknown>);
    this.watches.push(watch);
    return watch;
  }

  onApplicationBootstrap(): void {
    if (this.watches.length > 0) this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
    for (const watch of this.watches) void watch.stop();
  }

  private async look(): Promise<void> {
    const queries = [...new Set(this.watches.map(({ sql }) => sql))];
    const columns = queries.map((sql, index) => `(${sql}) as "${index}"`);
    const statement = { name: 'look_out', text: `select ${columns.join(', ')}` };
    const lookedAtMs = performance.now();
    const [values] = await this.database.query<Record<string, unknown>>(statement);
    this.warning.over('PostgreSQL says again what there is to do');
    for (const watch of this.watches) watch.tell(values?.[queries.indexOf(watch.sql)], lookedAtMs);
  }
}
