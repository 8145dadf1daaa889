import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Answer, type BatchConnector, isBatchConnector } from '../../connectors/connector';
import { ConnectorContexts } from '../../connectors/connector-contexts';
import { PermanentDeliveryError, RetryableDeliveryError } from '../../connectors/delivery-error';
import { ConnectorRegistry } from '../../connectors/registry';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import { Database } from '../../platform/database/database';
import { FollowUps } from '../follow-ups';
import { Sender } from '../sender';
import { DeliveryCounter } from '../stats/delivery-counter';
import { readBatchEvents } from './batch-events';
import { BatchBreaker } from './batch-breaker';
import { BatchStanding } from './batch-standing';
import { BatchStore } from './batch-store';
import { BATCH_LEASE_MS, type ClaimedBatch } from '../ledger/claim-batch';
import { type BatchRecord, recordBatch } from './record-batch';

const RENEWAL_MS = 10_000;
/** A large object on a slow line; after this the try has failed. */
const TIMEOUT_MS = 15 * 60_000;

/** What sending a batch needs. */
@Injectable()
export class BatchTools {
  constructor(
    readonly connectors: ConnectorRegistry,
    readonly contexts: ConnectorContexts,
    readonly destinations: ActiveDestinations,
    readonly sender: Sender,
    readonly breaker: BatchBreaker,
  ) {}
}

/** One try of one batch. */
@Injectable()
export class BatchRunner implements OnModuleDestroy {
  private readonly logger = new Logger(BatchRunner.name);
  private readonly stop = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly store: BatchStore,
    private readonly tools: BatchTools,
    private readonly database: Database,
    private readonly followUps: FollowUps,
    private readonly counter: DeliveryCounter,
  ) {}

  /** Batches that this process is sending. */
  get load(): number {
    return this.running.size;
  }

  /** Sends the batch if it is due and nobody else is at it. @throws when PostgreSQL is away or the service stops; it is due again then. */
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
    const { destinations, connectors, breaker } = this.tools;
    await destinations.refresh();
    const destination = destinations.get(batch.destinationId);
    const connector = destination && connectors.get(destination.type);
    const isReady = destination?.enabled === true && !breaker.isOpen(destination.id);
    if (!isReady || connector === undefined || !isBatchConnector(connector)) {
      await this.store.makeDueIn(batch.id, 0);
      return;
    }
    const renewal = setInterval(() => void this.renew(batch), RENEWAL_MS);
    try {
      await this.tryToSend(batch, destination, connector);
    } finally {
      clearInterval(renewal);
    }
  }

  private async tryToSend(
    batch: ClaimedBatch,
    destination: ActiveDestination,
    connector: BatchConnector,
  ): Promise<void> {
    const startedAt = new Date();
    const start = performance.now();
    const standing = await BatchStanding.read(batch, this.database);
    const gone = new Set<string>();
    const span = this.tools.sender.spans.startBatch(batch, standing);
    const verdict = standing.pending === 0 ? {} : await this.verdictOf(batch, destination, connector, gone);
    span?.end({ error: verdict instanceof Error ? verdict.name : undefined });
    if (this.stop.signal.aborted && verdict instanceof Error) {
      await this.store.makeDueIn(batch.id, 0);
      return;
    }
    const totalMs = performance.now() - start;
    const judge = judgeOf(verdict, gone);
    const record = await recordBatch(
      {
        batch,
        standing,
        outcomeOf: (delivery) => ({
          delivery,
          startedAt,
          attempt: delivery.attempts + 1,
          totalMs,
          ...this.tools.sender.judge(delivery, judge(delivery.id)),
        }),
      },
      this.database,
    );
    this.follow(record);
    if (standing.pending > 0) await this.tools.breaker.judge(destination.id, verdict);
  }

  private follow({ counts, dead }: BatchRecord): void {
    for (const { outcome, count } of counts.values()) this.counter.count(outcome, count);
    this.followUps.giveUp(dead);
  }

  /** What the connector answered or threw; always one of the two errors of deliveries. */
  private async verdictOf(
    batch: ClaimedBatch,
    destination: ActiveDestination,
    connector: BatchConnector,
    gone: Set<string>,
  ): Promise<Answer | Error> {
    const context = this.tools.contexts.contextOf({
      destinationId: destination.id,
      deadline: performance.now() + TIMEOUT_MS,
      cancel: this.stop.signal,
    });
    const { mapEvent } = destination;
    const outbound = {
      id: batch.id,
      sourceId: batch.sourceId,
      hour: batch.hour.toISOString().slice(0, '2026-11-20T16'.length),
      eventCount: batch.eventCount,
      events: () => readBatchEvents(batch, this.database, { mapEvent, gone }),
    };
    try {
      return await connector.sendBatch(outbound, destination.config, context);
    } catch (error) {
      if (error instanceof RetryableDeliveryError || error instanceof PermanentDeliveryError) return error;
      // A connector that throws anything else is broken; its events wait for it to be mended.
      this.logger.error('A connector failed', { connector: connector.id, batchId: batch.id }, error);
      return new RetryableDeliveryError('connector_error');
    }
  }

  private async renew({ id }: ClaimedBatch): Promise<void> {
    try {
      await this.store.makeDueIn(id, BATCH_LEASE_MS);
    } catch (error) {
      // May stop here: should somebody else take the batch, both write the same.
      this.logger.warn('The lease of a batch was not renewed', { batchId: id, reason: String(error) });
    }
  }
}

/** What the try came to for a delivery: those whose event is not stored any more are not part of it. */
function judgeOf(verdict: Answer | Error, gone: ReadonlySet<string>): (deliveryId: string) => Answer | Error {
  const expired = new PermanentDeliveryError('event_expired');
  return (deliveryId) => (gone.has(deliveryId) ? expired : verdict);
}
