import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { JobDispatcher, type NewJob } from '../../platform/queues/job-dispatcher';
import type { NotDelivered } from '../ledger/recording/delivery-outcome';
import { backoffFrom, jittered } from './retry-policy';

/** Jobs gather for this long before they are added together. */
const GATHER_MS = 10;
/** A retry that waits costs the queue about 1 KB. Beyond this many, retries wait in PostgreSQL alone. */
const MAX_WAITING = 10_000;
const COUNT_INTERVAL_MS = 5_000;

/** Gives failed deliveries the job that makes their later tries. */
@Injectable()
export class RetryJobs {
  private readonly maxAttempts: number;
  private jobs: NewJob<'delivery-retries'>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isFull = false;
  private countAt = 0;

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly destinations: ActiveDestinations,
    config: Config,
  ) {
    this.maxAttempts = config.delivery.maxAttempts;
  }

  /** @param failed an outcome after which there is another try */
  addRetry({ delivery, attempt, waitMs, retry, errorClass }: NotDelivered): void {
    if (retry === undefined) return;
    // The sweeper finds it when it is due.
    if (this.isFull) return void this.countWaiting();
    const { id: deliveryId, destinationId } = delivery;
    this.jobs.push({
      // The number of the try makes the id new, so that no job of an earlier try is in its way.
      id: `${deliveryId}-${attempt}`,
      name: `${this.destinations.get(destinationId)?.name ?? destinationId} (retry after ${errorClass})`,
      data: { destinationId, deliveryId, tries: attempt },
      options: {
        delay: retry.isMoved ? waitMs : jittered(waitMs, Math.random()),
        attempts: this.maxAttempts,
        backoff: backoffFrom(retry),
        removeOnFail: true,
        stackTraceLimit: 0,
      },
    });
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    const { jobs } = this;
    this.jobs = [];
    await this.dispatcher.dispatch('delivery-retries', jobs);
    await this.countWaiting();
  }

  private async countWaiting(): Promise<void> {
    const now = performance.now();
    if (now < this.countAt) return;
    this.countAt = now + COUNT_INTERVAL_MS;
    try {
      const count = await this.dispatcher.queue('delivery-retries').getDelayedCount();
      this.isFull = count > MAX_WAITING;
    } catch {
      // May stop here: the queue is away, and the dispatcher has said so.
    }
  }
}
