import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Breakers } from '../breaker/breakers';
import { type BatchedDestination, DeliveryModes } from '../delivery-modes';
import { BATCH_LEASE_MS, type ClaimedBatch } from '../ledger/claim-batch';
import { BatchAttempts } from './batch-attempts';
import { BatchStore } from './batch-store';

const RENEWAL_MS = 10_000;

/** Takes batches that are due and keeps them in hand while they are sent. */
@Injectable()
export class BatchRunner implements OnModuleDestroy {
  private readonly logger = new Logger(BatchRunner.name);
  private readonly stop = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly store: BatchStore,
    private readonly destinations: ActiveDestinations,
    private readonly modes: DeliveryModes,
    private readonly breakers: Breakers,
    private readonly attempts: BatchAttempts,
  ) {}

  /** Batches that this process is sending. */
  get load(): number {
    return this.running.size;
  }

  /**
   * Sends the batch if it is due and no other worker has it.
   * @throws when PostgreSQL is away or the service stops; it is due again then
   */
  async run(batchId: string): Promise<void> {
    // Not done: a job that is, and is kept, would be in the way of the one that another worker gives to this try.
    if (this.stop.signal.aborted) throw new Error('The service is shutting down.');
    const batch = await this.store.claim(batchId);
    if (batch === undefined) return;
    const work = this.send(batch);
    this.running.add(work);
    await work.finally(() => this.running.delete(work));
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await Promise.allSettled(this.running);
  }

  private async send(batch: ClaimedBatch): Promise<void> {
    await this.destinations.refresh();
    const to = this.openDestination(batch.destinationId);
    if (to === undefined) return this.store.makeDueIn(batch.id, 0);
    const renewal = setInterval(() => void this.renew(batch), RENEWAL_MS);
    try {
      const isOver = await this.attempts.make(batch, to, this.stop.signal);
      if (!isOver) await this.store.makeDueIn(batch.id, 0);
    } finally {
      clearInterval(renewal);
    }
  }

  /** Undefined when nothing may be sent to it. */
  private openDestination(destinationId: string): BatchedDestination | undefined {
    const to = this.modes.batched(destinationId);
    return to?.destination.enabled === true && !this.breakers.isOpen(destinationId) ? to : undefined;
  }

  private async renew({ id }: ClaimedBatch): Promise<void> {
    try {
      await this.store.makeDueIn(id, BATCH_LEASE_MS);
    } catch (error) {
      // May stop here: should another worker take the batch, both write the same.
      this.logger.warn('The lease of a batch was not renewed', { batchId: id, reason: String(error) });
    }
  }
}
