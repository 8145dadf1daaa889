import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { JobDispatcher } from '../../platform/queues/job-dispatcher';
import { Breakers } from '../breaker/breakers';
import { type BatchedDestination, DeliveryModes } from '../delivery-modes';
import type { DueBatch } from '../ledger/batches/find-due-batches';
import { BatchRunner } from './batch-runner';
import { BatchStore } from './batch-store';
import { BATCHES_AT_ONCE } from './batch.processor';

const INTERVAL_MS = 500;
/** Looking at what waits reads it: the longer a destination may wait, the more seldom it is looked at. */
const LOOKS_PER_FLUSH = 10;
const MAX_LOOK_INTERVAL_MS = 10_000;
const PRUNE_INTERVAL_MS = 600_000;
const DISSOLVE_INTERVAL_MS = 10_000;

/** Closes batches when they are full or old enough, and gives jobs to those that are due. Any number may run. */
@Injectable()
export class Batcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Batcher.name);
  private readonly lookAt = new Map<string, number>();
  private pruneAt = 0;
  private dissolveAt = 0;
  private readonly closing = this.loopOf((batched) => this.closeAndTidy(batched));
  /** Closing reads what waits, which takes its time: what is closed and due starts meanwhile. */
  private readonly starting = this.loopOf((batched) => this.startDue(batched));

  constructor(
    private readonly modes: DeliveryModes,
    private readonly store: BatchStore,
    private readonly dispatcher: JobDispatcher,
    private readonly runner: BatchRunner,
    private readonly breakers: Breakers,
  ) {}

  onApplicationBootstrap(): void {
    this.closing.start();
    this.starting.start();
  }

  onModuleDestroy(): void {
    void this.closing.stop();
    void this.starting.stop();
  }

  private loopOf(work: (batched: readonly BatchedDestination[]) => Promise<void>): BackgroundLoop {
    return new BackgroundLoop(
      () => work(this.modes.allBatched().filter(({ destination }) => destination.enabled)),
      INTERVAL_MS,
      (error) => this.logger.warn(`Batches could not be looked after: ${String(error)}`),
    );
  }

  private async closeAndTidy(batched: readonly BatchedDestination[]): Promise<void> {
    const nowMs = performance.now();
    await this.closeBatches(batched, nowMs);
    await this.dissolveBatches(nowMs);
    if (nowMs < this.pruneAt) return;
    this.pruneAt = nowMs + PRUNE_INTERVAL_MS;
    await this.store.prune();
  }

  /** One statement finds those that have anything to close. */
  private async closeBatches(batched: readonly BatchedDestination[], nowMs: number): Promise<void> {
    const looked = batched.filter(({ destination: { id } }) => nowMs >= (this.lookAt.get(id) ?? 0));
    if (looked.length === 0) return;
    const waiting = await this.store.withWaiting(looked.map(({ destination: { id } }) => id));
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
    const closed = await this.store.closeBatches(destination.id, limits, returning);
    const waitMs = Math.min((limits.flushSeconds * 1000) / LOOKS_PER_FLUSH, MAX_LOOK_INTERVAL_MS);
    this.lookAt.set(destination.id, closed > 0 ? 0 : nowMs + waitMs);
  }

  private async startDue(batched: readonly BatchedDestination[]): Promise<void> {
    // What is down is asked whether it is back before anything is sent again: no try is spent on it.
    const up = batched.filter(({ destination }) => !this.breakers.isOpen(destination.id));
    if (up.length === 0) return;
    const names = new Map(up.map(({ destination: { id, name } }) => [id, name]));
    const due = await this.store.findDue([...names.keys()]);
    await this.send(due, names);
  }

  /** By jobs, or right here while the queue is away. */
  private async send(due: readonly DueBatch[], names: ReadonlyMap<string, string>): Promise<void> {
    const dispatched = await this.dispatcher.dispatch(
      'batches',
      due.map(({ id, destinationId, eventCount, tries }) => ({
        // The number of the try makes the id new, so that no job of an earlier try is in its way.
        id: `${id}-${tries}`,
        name: `${names.get(destinationId) ?? destinationId} (${eventCount} events)`,
        data: { batchId: id, destinationId },
        options: { removeOnFail: true },
      })),
    );
    if (dispatched) return;
    for (const { id, destinationId } of due.slice(0, BATCHES_AT_ONCE - this.runner.load)) {
      this.runner
        .run({ batchId: id, destinationId })
        .catch((error: unknown) => this.logger.warn(`Batch ${id} was not sent: ${String(error)}`));
    }
  }

  /** What was closed by a connector of the same id that sent batches before its last release would wait for ever. */
  private async dissolveBatches(nowMs: number): Promise<void> {
    if (nowMs < this.dissolveAt) return;
    this.dissolveAt = nowMs + DISSOLVE_INTERVAL_MS;
    const single = this.modes.allOneByOne();
    const batchIds = await this.store.dissolve(single.map(({ id }) => id));
    if (batchIds.length === 0) return;
    this.logger.warn('A connector sends no batches any more: its deliveries go one by one', { batchIds });
  }
}
