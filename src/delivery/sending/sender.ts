import { Injectable, Logger } from '@nestjs/common';
import {
  type Answer,
  type OutboundBatch,
  type OutboundEvent,
  sendsBatches,
} from '../../connectors/connector';
import type { ConnectorContext } from '../../connectors/connector-context';
import { ConnectorContexts, type Try } from '../../connectors/connector-contexts';
import { PermanentDeliveryError, RetryableDeliveryError } from '../../connectors/delivery-error';
import { ConnectorRegistry } from '../../connectors/registry';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { stillGood } from '../../destinations/previous-secrets';
import type { JsonObject } from '../../events/customer-event';
import { Config } from '../../platform/config/config';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { DependencyDownError } from '../../platform/http/problems/problem';
import { batchOfOne } from '../batches/batch-of-one';
import { answerFrom, CONNECTOR_ERROR, type ConnectorVerdict, failureFrom } from './connector-verdict';
import { asBatched, type BatchedDestination } from '../delivery-modes';
import { DeliverySpans, type TracedBatch } from './delivery-spans';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { inTime, LATE_MS } from './in-time';
import { EVENT_EXPIRED, outcomeOf } from './outcome-of';
import { OutgoingEvents } from './outgoing-events';
import { secretMaskOf } from './secrets-of-destination';

/** A caller waits for the answer. */
const CHECK_MS = 15_000;

/** There was no time or no thread for the transformation, which says nothing of the receiver. */
const DELAYED = new RetryableDeliveryError('transformation_delayed', { isOfEvent: true });

type TryLimits = Pick<Try, 'deadline' | 'traceparent' | 'cancel'>;

/** One try of a batch. */
interface BatchTry {
  readonly traced: TracedBatch;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Ends it before. */
  readonly cancel?: AbortSignal;
}

/** Hands deliveries and batches to their connectors, and says what comes of it. Records nothing of it. */
@Injectable()
export class Sender {
  private readonly logger = new Logger(Sender.name);
  private readonly timeoutMs: number;

  constructor(
    private readonly connectors: ConnectorRegistry,
    private readonly contexts: ConnectorContexts,
    private readonly spans: DeliverySpans,
    private readonly outgoing: OutgoingEvents,
    private readonly config: Config,
  ) {
    this.timeoutMs = config.delivery.timeoutMs;
  }

  /** One try of one delivery. Never rejects: whatever goes wrong is an outcome. */
  async sendDelivery(delivery: ClaimedDelivery, destination: ActiveDestination): Promise<DeliveryOutcome> {
    const startedAt = new Date();
    const start = performance.now();
    const span = this.spans.startTry(delivery, destination);
    const sending = (): Promise<Answer> => this.send(delivery, destination, span?.traceparent);
    const verdict = await this.verdictOn(sending, destination, { deliveryId: delivery.id });
    const totalMs = performance.now() - start;
    const outcome = outcomeOf(delivery, verdict, { startedAt, totalMs }, this.config.delivery);
    if (span !== undefined) this.spans.endTry(span, outcome);
    this.log(outcome);
    return outcome;
  }

  /** One try of a batch. Never rejects. */
  async sendBatch(
    batch: OutboundBatch,
    { connector, destination }: BatchedDestination,
    { traced, deadline, cancel }: BatchTry,
  ): Promise<ConnectorVerdict> {
    const span = this.spans.startBatch({ id: batch.id, destinationId: destination.id }, traced);
    const attempt = { deadline, traceparent: span?.traceparent, cancel };
    const verdict = await this.verdictOn(
      async () => {
        const context = this.contextFor(destination, attempt);
        return inTime(deadline, () => connector.sendBatch(batch, destination.config, context));
      },
      destination,
      { connector: connector.id, batchId: batch.id },
    );
    span?.end({ error: verdict instanceof Error ? verdict.errorClass : undefined });
    return verdict;
  }

  /** Asks a connector whether it could send batches. Never rejects. */
  async checkAccess(
    { connector, destination }: BatchedDestination,
    timeoutMs = CHECK_MS,
  ): Promise<ConnectorVerdict> {
    const { id: destinationId, config } = destination;
    const attempt = { deadline: performance.now() + timeoutMs };
    return this.verdictOn(
      async () => {
        const context = this.contextFor(destination, attempt);
        return inTime(attempt.deadline, async () => (await connector.checkAccess?.(config, context)) ?? {});
      },
      destination,
      { connector: connector.id, destinationId },
    );
  }

  /** Sends a sample, or asks the connector where its batches are no requests. Never rejects. */
  async test(sample: ClaimedDelivery, destination: ActiveDestination): Promise<DeliveryOutcome> {
    const connector = this.connectors.get(destination.type);
    const to = connector && asBatched(destination, connector);
    if (to === undefined) return this.sendDelivery(sample, destination);
    const startedAt = new Date();
    const start = performance.now();
    const verdict = to.isRequest ? await this.sendSample(sample, to) : await this.checkAccess(to);
    const totalMs = performance.now() - start;
    return outcomeOf(sample, verdict, { startedAt, totalMs }, this.config.delivery);
  }

  private async sendSample(sample: ClaimedDelivery, to: BatchedDestination): Promise<ConnectorVerdict> {
    const { id: deliveryId, eventType, body = '{}' } = sample;
    const batch = batchOfOne({ deliveryId, eventType, body }, to.destination.mapEvent);
    const traced = { traceparents: new Set<string>(), pending: 1 };
    return this.sendBatch(batch, to, { traced, deadline: performance.now() + this.timeoutMs });
  }

  private log({ delivery, attempt, state, status, errorClass }: DeliveryOutcome): void {
    if (!this.config.logsEverything) return;
    const { id: deliveryId, destinationId } = delivery;
    this.logger.debug('Delivery tried', { deliveryId, destinationId, attempt, state, status, errorClass });
  }

  private async send(
    delivery: ClaimedDelivery,
    destination: ActiveDestination,
    traceparent: string | undefined,
  ): Promise<Answer> {
    const connector = this.connectors.get(destination.type);
    if (connector === undefined || sendsBatches(connector, destination.config)) {
      throw new RetryableDeliveryError('connector_not_installed');
    }
    const { id: deliveryId, body } = delivery;
    if (body === undefined) throw EVENT_EXPIRED;
    const { eventType, sourceId } = delivery;
    const events = await this.eventsFrom({ deliveryId, eventType, sourceId, body }, destination);
    if (events.length === 0)
      throw new PermanentDeliveryError('transformed_to_nothing', { isOfEvent: true, isUnwanted: true });
    // Of the receiver alone: a transformation may have waited for a thread.
    const deadline = performance.now() + this.timeoutMs;
    if (deadline + LATE_MS > delivery.leaseEndsAt) throw DELAYED;
    const context = this.contextFor(destination, { deadline, traceparent });
    return inTime(deadline, async () => {
      let answer: Answer = {};
      for (const event of events) answer = await connector.send(event, destination.config, context);
      return answer;
    });
  }

  private async eventsFrom(stored: OutboundEvent, destination: ActiveDestination): Promise<OutboundEvent[]> {
    try {
      return await this.outgoing.eventsToSend(stored, destination);
    } catch (error) {
      throw error instanceof DependencyDownError ? DELAYED : error;
    }
  }

  /** What a connector gets of the service. @throws RetryableDeliveryError when its configuration cannot be read */
  private contextFor(destination: ActiveDestination, attempt: TryLimits): ConnectorContext {
    if (!destination.secretsReadable) throw new RetryableDeliveryError('secrets_not_readable');
    const previousSecrets = previousSecretsOf(destination);
    return this.contexts.contextOf({ destinationId: destination.id, previousSecrets, ...attempt });
  }

  /** What a call of a connector comes to. @param about what was being sent */
  private async verdictOn(
    call: () => Promise<Answer>,
    destination: ActiveDestination,
    about: object,
  ): Promise<ConnectorVerdict> {
    const mask = secretMaskOf(destination, this.connectors.get(destination.type));
    try {
      return answerFrom(await call(), mask);
    } catch (error) {
      const failure = failureFrom(error, mask);
      // A connector that throws anything else is broken; its events wait for it to be mended.
      if (failure.errorClass === CONNECTOR_ERROR) this.logger.error('A connector failed', about, error);
      return failure;
    }
  }
}

/** Undefined where there are none, as there are none of most destinations. */
function previousSecretsOf({ previousSecrets }: ActiveDestination): readonly JsonObject[] | undefined {
  if (previousSecrets.length === 0) return undefined;
  return stillGood(previousSecrets, databaseNowMs()).map(({ secrets }) => secrets);
}
