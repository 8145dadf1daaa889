import { Injectable } from '@nestjs/common';
import type { OutboundEvent } from '../../connectors/connector';
import { RetryableDeliveryError } from '../../connectors/delivery-error';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { mayPass } from '../../platform/database/failure';
import { Breakers } from '../breaker/breakers';
import { isRefusal } from '../breaker/refusal';
import type { BatchedDestination } from '../delivery-modes';
import { FollowUps } from '../sending/follow-ups';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';
import type { ConnectorVerdict } from '../sending/connector-verdict';
import { EVENT_EXPIRED, outcomeOf, type TryTimes } from '../sending/outcome-of';
import { Sender } from '../sending/sender';
import { readBatchEvents } from './batch-events';
import { hourOf } from './batch-of-one';
import { BatchStanding } from './batch-standing';
import { recordBatch } from './record-batch';

/** A large object on a slow line; after this the try has failed. A batch that is a request has the time of one. */
const TIMEOUT_MS = 15 * 60_000;

export interface BatchTryOptions {
  /** Cuts the try off. */
  readonly cancel: AbortSignal;
  /** Its destination is thought to be down: a try that fails and may be made again is not recorded. */
  readonly isProbe: boolean;
}

/**
 * What a try of a batch came to; `refused`: the receiver is there and does not take it, `empty`: none of its events was
 * sent, `undone`: nothing is recorded.
 */
export type BatchTryEnd = 'sent' | 'refused' | 'failed' | 'empty' | 'undone';

/** One try of one batch: what `Attempts` is for a delivery, with the same sender, breakers, outcomes and follow-ups. */
@Injectable()
export class BatchAttempts {
  constructor(
    private readonly sender: Sender,
    private readonly breakers: Breakers,
    private readonly followUps: FollowUps,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws when PostgreSQL is away */
  async make(
    batch: ClaimedBatch,
    to: BatchedDestination,
    { cancel, isProbe }: BatchTryOptions,
  ): Promise<BatchTryEnd> {
    const startedAt = new Date();
    const start = performance.now();
    const standing = await BatchStanding.read(batch, this.database);
    const gone = new Set<string>();
    const verdict = standing.pending === 0 ? {} : await this.send(batch, to, { standing, gone, cancel });
    if (cancel.aborted && verdict instanceof Error) return 'undone';
    const isRefused = verdict instanceof Error && isRefusal(verdict);
    if (isProbe && verdict instanceof RetryableDeliveryError && !isRefused) {
      const { errorClass, details } = verdict;
      await this.breakers.noteProbe(batch.destinationId, errorClass, details.retryAfterMs);
      return 'undone';
    }
    const times: TryTimes = { startedAt, totalMs: performance.now() - start };
    const splits = isRefused && to.isRequest && standing.pending > 1;
    const ofEach = splits ? new RetryableDeliveryError(verdict.errorClass, verdict.details) : verdict;
    const record = await recordBatch(
      {
        batch,
        standing,
        splits: splits ? { afterMs: verdict.details.retryAfterMs ?? 0 } : undefined,
        // Those whose event is not stored any more are not part of the batch.
        outcomeOf: (delivery) =>
          outcomeOf(delivery, gone.has(delivery.id) ? EVENT_EXPIRED : ofEach, times, this.config.delivery),
      },
      this.database,
    );
    this.followUps.followBatch(record);
    if (gone.size >= standing.pending || isOfEvents(verdict)) return 'empty';
    this.breakers.noteBatch(batch.destinationId, verdict, startedAt);
    if (isRefused) return 'refused';
    return verdict instanceof Error ? 'failed' : 'sent';
  }

  private async send(
    batch: ClaimedBatch,
    to: BatchedDestination,
    { standing, gone, cancel }: SentBatch,
  ): Promise<ConnectorVerdict> {
    const { mapEvent } = to.destination;
    const reading = new Reading();
    const outbound = {
      id: batch.id,
      sourceId: batch.sourceId,
      hour: hourOf(batch.hour),
      eventCount: batch.eventCount,
      events: () => reading.watch(readBatchEvents(batch, this.database, { mapEvent, gone })),
    };
    const timeoutMs = to.isRequest ? this.config.delivery.timeoutMs : TIMEOUT_MS;
    const deadline = performance.now() + timeoutMs;
    const verdict = await this.sender.sendBatch(outbound, to, { traced: standing, deadline, cancel });
    if (verdict instanceof Error && reading.outage !== undefined) throw reading.outage;
    return verdict;
  }
}

/**
 * Whether PostgreSQL was away while a connector read its events: it sees an error, and says of the receiver that it
 * failed.
 */
class Reading {
  outage: unknown;

  async *watch(events: AsyncIterable<OutboundEvent>): AsyncIterable<OutboundEvent> {
    try {
      yield* events;
    } catch (error) {
      if (mayPass(error)) this.outage = error;
      throw error;
    }
  }
}

/** Whether it says nothing of the receiver. */
function isOfEvents(verdict: ConnectorVerdict): boolean {
  return verdict instanceof Error && verdict.details.isOfEvent === true;
}

interface SentBatch {
  readonly standing: BatchStanding;
  /** Gets the deliveries whose event is not stored any more. */
  readonly gone: Set<string>;
  readonly cancel: AbortSignal;
}
