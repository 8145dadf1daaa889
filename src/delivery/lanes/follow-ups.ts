import { Inject, Injectable, Logger } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import { DestinationHealth } from '../breaker/health';
import { GivenUp } from '../dead-letters/given-up';
import type { GivenUpDelivery } from '../ledger/given-up-delivery';
import type { Outcome } from '../ledger/outcome';
import { backoffFrom, jittered } from '../retry-policy';

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
  private timer: NodeJS.Timeout | undefined;
  private retriesAreFull = false;
  private countedAt = 0;

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly destinations: ActiveDestinations,
    private readonly health: DestinationHealth,
    private readonly givenUp: GivenUp,
    @Inject(Config) config: Config,
  ) {
    this.maxAttempts = config.delivery.maxAttempts;
  }

  /** @param byJob whether the job that brought the delivery makes the next try itself. */
  after(outcome: Outcome, byJob: boolean): void {
    if (outcome.state === 'pending' && !byJob) this.addRetry(outcome);
    if (outcome.state === 'dead') this.giveUp([outcome]);
  }

  /** Outcomes of one destination that gave their deliveries up. */
  giveUp(dead: readonly Outcome[]): void {
    this.givenUp.follow(dead.map(givenUpBy));
    // One of them switches the destination off, not thousands.
    const last = dead.find(({ disableDestination }) => disableDestination);
    if (last !== undefined) void this.disableDestination(last);
  }

  private async disableDestination({ delivery, errorClass = 'gone', startedAt }: Outcome): Promise<void> {
    const { destinationId, id: deliveryId } = delivery;
    const agoMs = Date.now() - startedAt.getTime();
    try {
      if (!(await this.health.disable(destinationId, { reason: errorClass, agoMs, deliveryId }))) return;
      this.logger.warn(
        'A destination is switched off: its receiver said that nothing can be delivered any more',
        {
          destinationId,
          name: this.nameOf(destinationId),
          reason: errorClass,
          deliveryId,
        },
      );
      await this.destinations.refresh();
    } catch (error) {
      this.logger.error(`Not disabled: ${String(error)}`);
    }
  }

  private addRetry({ delivery, attempt, waitMs, retry, errorClass }: Outcome): void {
    if (this.retriesAreFull || retry === undefined) return; // The sweeper finds it when it is due.
    this.retries.push({
      // The number of the try makes the id new, so that no job of an earlier try is in its way.
      id: `${delivery.id}-${attempt}`,
      name: `${this.nameOf(delivery.destinationId)} (retry after ${errorClass ?? 'failure'})`,
      data: { destinationId: delivery.destinationId, deliveryId: delivery.id },
      options: {
        delay: retry.isMoved ? waitMs : jittered(waitMs, Math.random()),
        attempts: this.maxAttempts,
        backoff: backoffFrom(retry),
        removeOnFail: true,
        stackTraceLimit: 0,
      },
    });
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
    const { retries } = this;
    this.retries = [];
    await this.dispatcher.dispatch('delivery-retries', retries);
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

/** The delivery that an outcome gave up. */
function givenUpBy({ delivery, attempt, errorClass = 'failed', status }: Outcome): GivenUpDelivery {
  const { id: deliveryId, destinationId } = delivery;
  return { deliveryId, destinationId, attempt, reason: errorClass, status };
}
