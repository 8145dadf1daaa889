import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { CustomerEvent } from '../../events/customer-event';
import { buryEvent } from '../../events/inbox/dead-events';
import { EventsTooLargeError } from '../../events/inbox/events-too-large.error';
import { Database, type OpenTransaction } from '../../platform/database/database';
import { isCancelled, refusesValues } from '../../platform/database/failure';
import { retryRaces } from '../../platform/database/transactions/retry-races';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import { Metrics } from '../../platform/metrics/metrics';
import { Tracing } from '../../platform/tracing/tracing';
import { InboxReader, MAX_TRANSACTION_BYTES } from './inbox-reader';
import { traceProcessing } from '../trace-processing';

/** Rows that are at hand are enough for this time. */
const ALONE_MS = 300_000;

/**
 * What is done with some events, inside the transaction that takes them out of the inbox.
 * @param confirmed see {@link TakenEvents}: nothing can be relied on before
 */
export type EventsWork<Result> = (
  events: readonly CustomerEvent[],
  tx: OpenTransaction,
  confirmed?: Promise<void>,
) => Promise<Result>;

/**
 * Runs the processing of inbox rows in transactions: whatever fails leaves everything as it was. An event that can
 * never be processed is found by taking its row apart, and buried, so that its neighbours go on; one that takes
 * PostgreSQL too long is found the same way, and waits alone. A transaction has only so many bytes: rows with large
 * events, or events of people with large profiles, are taken in parts.
 */
@Injectable()
export class InboxTransactions {
  private readonly logger = new Logger(InboxTransactions.name);
  /** Whether the last rows had to be taken in parts. The next ones are not even tried together then. */
  private rowsAreLarge = false;
  /** Until when no others are taken along: one of them may be what took too long. */
  private aloneUntilMs = 0;

  private readonly suppressed: Counter;

  constructor(
    private readonly database: Database,
    private readonly inbox: InboxReader,
    private readonly tracing: Tracing,
    metrics: Metrics,
  ) {
    this.suppressed = metrics.counter({
      name: 'suppressed_events_total',
      help: 'Accepted events that were dropped because the person is suppressed.',
    });
  }

  /**
   * Processes the events of inbox rows. Answers one result per transaction.
   * @param andFurther whether to take others that wait along
   * @throws when PostgreSQL is away or refuses to work, or takes too long for a row: what is not done stays, to be
   * tried again.
   */
  async process<Result>(
    inboxIds: readonly string[],
    work: EventsWork<Result>,
    andFurther = true,
  ): Promise<Result[]> {
    if (!this.rowsAreLarge) {
      try {
        return [
          await this.processTogether(inboxIds, work, andFurther && performance.now() >= this.aloneUntilMs),
        ];
      } catch (error) {
        if (isCancelled(error)) this.aloneUntilMs = performance.now() + ALONE_MS;
        else if (!(error instanceof EventsTooLargeError) && !blamesEvents(error)) throw error;
      }
    }
    this.rowsAreLarge = false;
    return this.processEach(inboxIds, work);
  }

  /** Row by row. One that takes too long keeps none of the others from being processed. */
  private async processEach<Result>(
    inboxIds: readonly string[],
    work: EventsWork<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    const cancelled: unknown[] = [];
    for (const inboxId of inboxIds) {
      try {
        results.push(...(await this.processInParts(inboxId, work)));
      } catch (error) {
        if (!isCancelled(error)) throw error;
        cancelled.push(error);
      }
    }
    if (cancelled.length > 0) throw cancelled[0];
    return results;
  }

  private async processTogether<Result>(
    inboxIds: readonly string[],
    work: EventsWork<Result>,
    andFurther: boolean,
  ): Promise<Result> {
    const { result } = await this.transact(async (tx) => {
      const { events, suppressed, confirmed } = await this.inbox.takeEvents(inboxIds, andFurther, tx);
      const result = await traceProcessing(events, this.tracing, () => work(events, tx, confirmed));
      await confirmed;
      return { result, suppressed };
    });
    return result;
  }

  /** One row, in as many transactions as its size asks for, and that of the profiles. */
  private async processInParts<Result>(inboxId: string, work: EventsWork<Result>): Promise<Result[]> {
    const results: Result[] = [];
    let maxBytes = MAX_TRANSACTION_BYTES;
    try {
      for (let hasMore = true; hasMore; this.rowsAreLarge ||= hasMore) {
        const part = await this.processPart(inboxId, maxBytes, work);
        if (part === 'too large') {
          maxBytes /= 2;
          continue;
        }
        results.push(part.result);
        hasMore = part.hasMore;
      }
      return results;
    } catch (error) {
      if (!blamesEvents(error) && !isCancelled(error)) throw error;
      this.logger.warn({
        msg: 'Stored events are processed one by one',
        inboxId,
        reason: withoutQuotes(String(error)),
      });
    }
    return [...results, ...(await this.processOneByOne(inboxId, work))];
  }

  private async processPart<Result>(
    inboxId: string,
    maxBytes: number,
    work: EventsWork<Result>,
  ): Promise<{ result: Result; hasMore: boolean } | 'too large'> {
    try {
      return await this.transact(async (tx) => {
        const { events, suppressed, hasMore } = await this.inbox.takePart(inboxId, maxBytes, tx);
        const result = await traceProcessing(events, this.tracing, () => work(events, tx));
        return { result, suppressed, hasMore };
      });
    } catch (error) {
      if (!(error instanceof EventsTooLargeError)) throw error;
      return 'too large';
    }
  }

  private async processOneByOne<Result>(inboxId: string, work: EventsWork<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (;;) {
      let tried: string | undefined;
      try {
        const done = await this.transact(async (tx) => {
          const key = await this.inbox.takeFirst(inboxId, tx);
          tried = key?.id;
          if (key === undefined) return undefined;
          const { events, suppressed } = await this.inbox.readOne(key, tx);
          return { result: await work(events, tx), suppressed };
        });
        if (done === undefined) return results;
        results.push(done.result);
      } catch (error) {
        if (!blamesEvents(error) || tried === undefined) throw error;
        await this.buryFirst(inboxId, tried, String(error));
      }
    }
  }

  /** Buries the first event of a row, if it is still the one that was tried: another worker may be at the same row. */
  private async buryFirst(inboxId: string, tried: string, reason: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const key = await this.inbox.takeFirst(inboxId, tx, tried);
      if (key === undefined) return;
      await buryEvent(key, reason, tx);
      this.logger.error({
        msg: 'An event cannot be processed',
        eventId: key.id,
        reason: withoutQuotes(reason),
      });
    });
  }

  private async transact<Done extends { readonly suppressed: number } | undefined>(
    work: (tx: OpenTransaction) => Promise<Done>,
  ): Promise<Done> {
    const done = await retryRaces(() => this.database.transaction(work));
    this.suppressed.inc(done?.suppressed ?? 0);
    return done;
  }
}

/** Whether it will fail again as long as these events are in it, rather than for an outage or a race. */
function blamesEvents(error: unknown): boolean {
  if (refusesValues(error)) return true;
  // Code that stumbles over an event will do so again.
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
