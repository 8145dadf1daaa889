import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Answer, isBatchConnector } from '../connectors/connector';
import { ConnectorContexts } from '../connectors/connector-contexts';
import {
  type FailureDetails,
  PermanentDeliveryError,
  RetryableDeliveryError,
} from '../connectors/delivery-error';
import { ConnectorRegistry } from '../connectors/registry';
import type { ActiveDestination } from '../destinations/active-destinations';
import { Config } from '../platform/config/config';
import { TerminalLines } from '../platform/logging/terminal-lines';
import { DeliverySpans } from './delivery-spans';
import { describeFailure } from './describe-failure';
import type { ClaimedDelivery } from './ledger/claimed-delivery';
import type { Outcome } from './ledger/outcome';
import { waitAfterTry } from './retry-policy';

/** Somebody waits for the answer. */
const CHECK_MS = 15_000;

/** One try of one delivery: sends the event and says what comes of it. Writes nothing. */
@Injectable()
export class Sender {
  private readonly logger = new Logger(Sender.name);
  private readonly terminal: TerminalLines;
  private readonly timeoutMs: number;

  constructor(
    private readonly connectors: ConnectorRegistry,
    private readonly contexts: ConnectorContexts,
    readonly spans: DeliverySpans,
    @Inject(Config) private readonly config: Config,
  ) {
    this.terminal = new TerminalLines((line) => this.logger.warn(line), config.development);
    this.timeoutMs = config.delivery.timeoutMs;
  }

  /** Never rejects: whatever goes wrong is an outcome. */
  async sendDelivery(delivery: ClaimedDelivery, destination: ActiveDestination): Promise<Outcome> {
    const startedAt = new Date();
    const start = performance.now();
    const span = this.spans.startTry(delivery, destination);
    let outcome: Outcome;
    try {
      const answer = await this.send(delivery, destination, start + this.timeoutMs, span?.traceparent);
      outcome = delivered(delivery, answer, startedAt, performance.now() - start);
    } catch (error) {
      outcome = this.failed(delivery, error, startedAt, performance.now() - start);
    }
    if (span !== undefined) this.spans.endTry(span, outcome);
    this.log(outcome);
    if (outcome.state === 'pending') this.terminal.tell(() => failureLine(outcome, destination));
    return outcome;
  }

  /** Instead of a try where a connector sends batches: asks it whether it could. Never rejects. */
  async checkAccess(delivery: ClaimedDelivery, destination: ActiveDestination): Promise<Outcome> {
    const connector = this.connectors.get(destination.type);
    if (connector === undefined || !isBatchConnector(connector))
      return this.sendDelivery(delivery, destination);
    const startedAt = new Date();
    const start = performance.now();
    const context = this.contexts.contextOf({ destinationId: destination.id, deadline: start + CHECK_MS });
    return connector.checkAccess(destination.config, context).then(
      (answer) => delivered(delivery, answer, startedAt, performance.now() - start),
      (error: unknown) => this.failed(delivery, error, startedAt, performance.now() - start),
    );
  }

  private log({ delivery, attempt, state, status, errorClass }: Outcome): void {
    if (!this.config.logsEverything) return;
    const { id: deliveryId, destinationId } = delivery;
    this.logger.debug('Delivery tried', { deliveryId, destinationId, attempt, state, status, errorClass });
  }

  private send(
    delivery: ClaimedDelivery,
    destination: ActiveDestination,
    deadline: number,
    traceparent: string | undefined,
  ): Promise<Answer> {
    const connector = this.connectors.get(destination.type);
    if (connector === undefined || isBatchConnector(connector)) {
      throw new RetryableDeliveryError('connector_not_installed');
    }
    if (delivery.body === undefined) throw new PermanentDeliveryError('event_expired');
    const { id: destinationId, config } = destination;
    const previousSecrets =
      Date.now() < destination.previousSecretsUntil ? destination.previousSecrets : undefined;
    const context = this.contexts.contextOf({ destinationId, deadline, previousSecrets, traceparent });
    const body = destination.mapEvent?.(delivery.body) ?? delivery.body;
    return connector.send({ deliveryId: delivery.id, body }, config, context);
  }

  private failed(delivery: ClaimedDelivery, error: unknown, startedAt: Date, totalMs: number): Outcome {
    // Whatever was thrown, it is no answer.
    const verdict = error instanceof Error ? error : new Error(String(error));
    return { delivery, startedAt, attempt: delivery.attempts + 1, totalMs, ...this.judge(delivery, verdict) };
  }

  /** What a try comes to whose connector answered, or threw, `verdict`. */
  judge(
    delivery: ClaimedDelivery,
    verdict: unknown,
  ): Pick<
    Outcome,
    'state' | 'waitMs' | 'retry' | 'errorClass' | 'status' | 'latency' | 'answer' | 'disableDestination'
  > {
    if (verdict instanceof PermanentDeliveryError) {
      return { ...kept(verdict.details), state: 'dead', waitMs: 0, errorClass: verdict.errorClass };
    }
    if (verdict instanceof RetryableDeliveryError) {
      return { ...kept(verdict.details), ...this.nextTry(delivery, verdict), errorClass: verdict.errorClass };
    }
    if (verdict instanceof Error) {
      // A connector that throws anything else is broken; its events wait for it to be mended.
      this.logger.error('A connector failed', { deliveryId: delivery.id }, verdict);
      const error = new RetryableDeliveryError('connector_error');
      return { ...kept({}), ...this.nextTry(delivery, error), errorClass: error.errorClass };
    }
    return { ...kept(verdict as Answer), state: 'delivered', waitMs: 0, errorClass: undefined };
  }

  private nextTry(
    delivery: ClaimedDelivery,
    { details }: RetryableDeliveryError,
  ): Pick<Outcome, 'state' | 'waitMs' | 'retry'> {
    const { maxAttempts, backoff } = this.config.delivery;
    const attempt = delivery.attempts + 1 - (delivery.probes ?? 0);
    if (attempt >= (delivery.attemptLimit ?? maxAttempts)) return { state: 'dead', waitMs: 0 };
    // A replay starts a schedule of its own.
    const inSchedule =
      delivery.attemptLimit === undefined ? attempt : attempt + maxAttempts - delivery.attemptLimit;
    const { waitMs, stepMs, isMoved } = waitAfterTry(Math.max(inSchedule, 1), backoff, details.retryAfterMs);
    return { state: 'pending', waitMs, retry: { stepMs, isMoved } };
  }
}

function failureLine(outcome: Outcome, { name, config }: ActiveDestination): string {
  const seconds = (outcome.waitMs / 1000).toFixed(1);
  return `Not delivered to ${name}: ${describeFailure(outcome, config)}; the next try is in ${seconds} s`;
}

/** The usual outcome; put together member by member, because there are thousands a second. */
function delivered(
  delivery: ClaimedDelivery,
  { status, excerpt, latency }: Answer,
  startedAt: Date,
  totalMs: number,
): Outcome {
  return {
    delivery,
    attempt: delivery.attempts + 1,
    state: 'delivered',
    waitMs: 0,
    errorClass: undefined,
    status,
    startedAt,
    totalMs,
    latency: latency ?? {},
    answer: excerpt === '' ? undefined : excerpt,
    disableDestination: false,
  };
}

function kept({
  status,
  excerpt,
  latency,
  disableDestination,
}: FailureDetails): Pick<Outcome, 'status' | 'latency' | 'answer' | 'disableDestination'> {
  return {
    status,
    latency: latency ?? {},
    answer: excerpt === '' ? undefined : excerpt,
    disableDestination: disableDestination ?? false,
  };
}
