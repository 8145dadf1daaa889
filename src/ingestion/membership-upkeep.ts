import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Deliveries } from '../delivery/deliveries';
import { Database } from '../platform/database/database';
import { SegmentUpkeep } from '../segments/computing/segment-upkeep';

/** Large computations are shared: PostgreSQL works on each transaction with one core. */
const WORKERS = 2;
/** How often to look for work when there was none. */
const IDLE_MS = 500;
/** How long to leave PostgreSQL alone when it is away. */
const OUTAGE_MS = 5_000;

/**
 * What happens to segments without an event: new definitions are computed, windows pass. Each step is a transaction
 * of its own and its changes are delivered like those of events. Any number of processes may do this.
 */
@Injectable()
export class MembershipUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MembershipUpkeep.name);
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly segments: SegmentUpkeep,
    private readonly deliveries: Deliveries,
  ) {}

  onApplicationBootstrap(): void {
    this.running = Promise.all(Array.from({ length: WORKERS }, () => this.run()));
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      let pauseMs = IDLE_MS;
      try {
        if (await this.step()) pauseMs = 0;
      } catch (error) {
        // May stop here: the step was rolled back as a whole, and is found again.
        this.logger.warn(`Segments could not be kept up: ${String(error)}`);
        pauseMs = OUTAGE_MS;
      }
      await this.pause(pauseMs);
    }
  }

  /** Returns whether there was anything to do. */
  private async step(): Promise<boolean> {
    const { chunks, busy } = await this.database.transaction(async (tx) => {
      const { changes, busy } = await this.segments.step(tx);
      return { chunks: await this.deliveries.route([], changes, tx), busy };
    });
    await this.deliveries.enqueue(chunks);
    return busy;
  }

  private async pause(ms: number): Promise<void> {
    // Rejects when the process stops, and then there is nothing to wait for.
    await delay(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}
