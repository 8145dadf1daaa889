import { Injectable, Logger } from '@nestjs/common';
import type { ErrorClass } from '../../connectors/error-classes';
import { Config } from '../../platform/config/config';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import type { ConnectorVerdict } from '../sending/connector-verdict';
import { Breaker } from './breaker';
import { DestinationHealth } from './destination-health';
import type { ProbeFinding } from './probe-with';
import { isRefusal } from './refusal';

const RATE_LIMITED: ErrorClass = 'rate_limited';

/** A batch is thousands of events and each of its tries counts for all of them: a second failure in a row is enough. */
const FAILED_BATCHES = 2;

/** The breakers of a process, one per destination, and what they have to do with those of other processes. */
@Injectable()
export class Breakers {
  private readonly logger = new Logger(Breakers.name);
  private readonly breakers = new Map<string, Breaker>();

  constructor(
    private readonly health: DestinationHealth,
    private readonly config: Config,
  ) {}

  breakerOf(destinationId: string): Breaker {
    const known = this.breakers.get(destinationId);
    if (known !== undefined) return known;
    const breaker = new Breaker(this.config.delivery.concurrency);
    if (this.health.isOpen(destinationId)) breaker.open();
    this.breakers.set(destinationId, breaker);
    return breaker;
  }

  isOpen(destinationId: string): boolean {
    return this.health.isOpen(destinationId);
  }

  /** Takes in what a try came to. */
  noteOutcome(outcome: DeliveryOutcome): void {
    const { delivery, attempt, state, errorClass, waitMs, startedAt, disableDestination, isOfEvent } =
      outcome;
    if (isOfEvent === true) return;
    const { destinationId, probes = 0 } = delivery;
    const breaker = this.breakerOf(destinationId);
    if (state === 'delivered') return breaker.onSuccess();
    if (isRefusal(outcome)) return breaker.onRefusal();
    // While that is being written down nothing more is sent to a receiver that is gone: it would be given up as well.
    if (disableDestination) return breaker.open();
    // Where there is an order few first tries are made while a receiver is down: one for each person.
    const isNews = attempt - probes === 1 || delivery.person !== undefined;
    const failure = { isNews, startedAtMs: startedAt.getTime() };
    if (!breaker.onFailure(failure, this.config.delivery.breakerFailures)) return;
    this.open(destinationId, errorClass, errorClass === RATE_LIMITED ? waitMs : 0);
  }

  /** Takes in what a try of a batch came to. */
  noteBatch(destinationId: string, verdict: ConnectorVerdict, startedAt: Date): void {
    const breaker = this.breakerOf(destinationId);
    if (!(verdict instanceof Error)) return breaker.onSuccess();
    if (isRefusal(verdict)) return breaker.onRefusal();
    const failure = { isNews: true, startedAtMs: startedAt.getTime() };
    if (!breaker.onFailure(failure, FAILED_BATCHES)) return;
    this.open(destinationId, verdict.errorClass, verdict.details.retryAfterMs);
  }

  /** Takes in what a probe came to that has not found the destination to be back. @throws when PostgreSQL is away */
  async noteProbe(destinationId: string, errorClass: string, retryAfterMs = 0): Promise<void> {
    if (errorClass === RATE_LIMITED) await this.health.putOffProbe(destinationId, retryAfterMs);
  }

  /**
   * The destination is back, for all processes.
   * @param found what no delivery found out is in no statistics: what failed before says nothing any more
   * @throws when PostgreSQL is away
   */
  async close(destinationId: string, found: Exclude<ProbeFinding, 'down'>): Promise<void> {
    if (found === 'checked') await this.health.noteTest(destinationId);
    else await this.health.closeBreaker(destinationId, found === 'works');
    this.breakers.get(destinationId)?.close(Date.now());
  }

  /** Does here what other processes found out. */
  followHealth(): void {
    for (const [destinationId, breaker] of this.breakers) {
      if (this.health.isOpen(destinationId)) breaker.open();
      else breaker.close(Date.now());
    }
  }

  /** Of a destination that is deleted. */
  forget(destinationId: string): void {
    this.breakers.delete(destinationId);
  }

  private open(destinationId: string, reason: string, retryAfterMs: number | undefined): void {
    this.health
      .openBreaker(destinationId, reason, retryAfterMs)
      .catch((error: unknown) => this.logger.warn(`A breaker is open here only: ${String(error)}`));
  }
}
