import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { type BatchedDestination, DeliveryModes } from '../delivery-modes';
import { dissolveBatchesOf } from '../ledger/batches/dissolve-batch';
import { pruneBatches } from '../ledger/batches/prune-batches';
import { BatchCloser } from './batch-closer';

const INTERVAL_MS = 500;
/** Looking at what waits reads it: the longer a destination may wait, the more seldom it is looked at. */
const LOOKS_PER_FLUSH = 10;
const MAX_LOOK_INTERVAL_MS = 10_000;
const PRUNE_INTERVAL_MS = 600_000;
const DISSOLVE_INTERVAL_MS = 10_000;

/**
 * Closes batches when they are full or old enough, and dissolves those that nobody sends any more. Any number may run.
 */
@Injectable()
export class Batcher extends BackgroundWork {
  private readonly lookAt = new Map<string, number>();
  private pruneAt = 0;
  private dissolveAt = 0;
  protected readonly loop = this.every(INTERVAL_MS, () => this.round(), 'Batches could not be looked after');

  constructor(
    private readonly modes: DeliveryModes,
    private readonly closer: BatchCloser,
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super();
  }

  private async round(): Promise<void> {
    const nowMs = performance.now();
    await this.closeBatches(nowMs);
    await this.dissolveBatches(nowMs);
    if (nowMs < this.pruneAt) return;
    this.pruneAt = nowMs + PRUNE_INTERVAL_MS;
    await pruneBatches(this.config.delivery.retentionDays, this.database);
  }

  /** One statement finds those that have anything to close. */
  private async closeBatches(nowMs: number): Promise<void> {
    const looked = this.modes
      .allBatched()
      .filter(({ destination: { id, enabled } }) => enabled && nowMs >= (this.lookAt.get(id) ?? 0));
    if (looked.length === 0) return;
    const waiting = await this.closer.withWaiting(looked.map(({ destination: { id } }) => id));
    for (const one of looked) {
      if (!waiting.has(one.destination.id)) continue;
      try {
        await this.closeBatchesOf(one, nowMs);
      } catch (error) {
        // May stop here: the limits are what a connector says, and others have theirs. It is looked at again, seldom.
        this.lookAt.set(one.destination.id, nowMs + MAX_LOOK_INTERVAL_MS);
        this.logger.warn(`Batches of ${one.destination.name} are not closed: ${String(error)}`);
      }
    }
  }

  private async closeBatchesOf(
    { destination, connector, isRequest }: BatchedDestination,
    nowMs: number,
  ): Promise<void> {
    const limits = connector.batchLimits(destination.config);
    const returning = isRequest ? 'to another batch' : 'to their batch';
    const closed = await this.closer.closeBatches(destination.id, limits, returning);
    const waitMs = Math.min((limits.flushSeconds * 1000) / LOOKS_PER_FLUSH, MAX_LOOK_INTERVAL_MS);
    this.lookAt.set(destination.id, closed > 0 ? 0 : nowMs + waitMs);
  }

  /** What was closed by a connector of the same id that sent batches before its last release would wait for ever. */
  private async dissolveBatches(nowMs: number): Promise<void> {
    if (nowMs < this.dissolveAt) return;
    this.dissolveAt = nowMs + DISSOLVE_INTERVAL_MS;
    const single = this.modes.allOneByOne();
    const batchIds = await dissolveBatchesOf(
      single.map(({ id }) => id),
      this.database,
    );
    if (batchIds.length === 0) return;
    this.logger.warn('A connector sends no batches any more: its deliveries go one by one', { batchIds });
  }
}
