import { Inject, Injectable, Logger } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { DestinationHealth } from '../breaker/health';
import { aDeadLetterJob } from '../dead-letter-job';
import type { Outcome } from '../ledger/outcome';

/** Jobs gather for so long before they are added together. */
const GATHER_MS = 10;
/** A retry that waits costs the queue about 1 KB. Beyond this many, retries wait in PostgreSQL alone. */
const MAX_WAITING_RETRIES = 10_000;
const COUNT_INTERVAL_MS = 5_000;

/** What a recorded outcome leads to: a job for the next try, a dead letter, a destination switched off. */
@Injectable()
export class FollowUps {
  private readonly logger = new Logger(FollowUps.name);
  private readonly maxAttempts: number;
  private retries: NewJob<'delivery-retries'>[] = [];
  private deadLetters: NewJob<'dead-letters'>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private retriesAreFull = false;
  private countedAt = 0;

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly destinations: ActiveDestinations,
    private readonly health: DestinationHealth,
    @Inject(Config) config: Config,
  ) {
    this.maxAttempts = config.env.CDP_DELIVERY_MAX_ATTEMPTS;
  }

  /** @param byJob whether the job that brought the delivery makes the next try itself. */
  after(outcome: Outcome, byJob: boolean): void {
    if (outcome.state === 'pending' && !byJob) this.addRetry(outcome);
    if (outcome.state === 'dead') this.addDeadLetter(outcome);
    if (outcome.disableDestination) {
      const { destinationId } = outcome.delivery;
      this.health
        .disable(destinationId, outcome.errorClass ?? '', Date.now() - outcome.startedAt.getTime())
        .then(() => this.destinations.refresh())
        .catch((error: unknown) => this.logger.error(`Not disabled: ${String(error)}`));
    }
  }

  private addRetry({ delivery, attempt, waitMs, errorClass }: Outcome): void {
    if (this.retriesAreFull) return; // The sweeper finds it when it is due.
    this.retries.push({
      // The number of the try makes the id new, so that no job of an earlier try is in its way.
      id: `${delivery.id}-${attempt}`,
      name: `${this.nameOf(delivery.destinationId)} (retry after ${errorClass ?? 'failure'})`,
      data: { destinationId: delivery.destinationId, deliveryId: delivery.id },
      options: {
        delay: waitMs,
        attempts: this.maxAttempts,
        backoff: { type: 'custom' },
        removeOnFail: true,
      },
    });
    this.flushSoon();
  }

  private addDeadLetter({ delivery, attempt, errorClass }: Outcome): void {
    this.deadLetters.push(
      aDeadLetterJob({
        deliveryId: delivery.id,
        destinationId: delivery.destinationId,
        destinationName: this.nameOf(delivery.destinationId),
        attempts: attempt,
        eventType: delivery.eventType,
        errorClass: errorClass ?? 'failed',
      }),
    );
    this.flushSoon();
  }

  private nameOf(destinationId: string): string {
    return this.destinations.get(destinationId)?.name ?? destinationId;
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    const { retries, deadLetters } = this;
    this.retries = [];
    this.deadLetters = [];
    await this.dispatcher.dispatch('delivery-retries', retries);
    await this.dispatcher.dispatch('dead-letters', deadLetters);
    await this.countRetries();
  }

  private async countRetries(): Promise<void> {
    if (Date.now() - this.countedAt < COUNT_INTERVAL_MS) return;
    this.countedAt = Date.now();
    try {
      const count = await this.dispatcher.queue('delivery-retries').getDelayedCount();
      this.retriesAreFull = count > MAX_WAITING_RETRIES;
    } catch {
      // May stop here: the queue is away, and the dispatcher has said so.
    }
  }
}
