import { Injectable } from '@nestjs/common';
import type { BatchRecord } from '../batches/record-batch';
import { DestinationDisabler } from '../breaker/destination-disabler';
import { DeliveryLines } from './delivery-lines';
import { DeadDeliveries } from '../dead-letters/dead-deliveries';
import type { DeadDelivery } from '../ledger/ending/dead-delivery';
import type { DeliveryOutcome, NotDelivered } from '../ledger/recording/delivery-outcome';
import { RetryJobs } from '../retries/retry-jobs';
import { DeliveryCounter } from '../stats/delivery-counter';

/**
 * What recorded outcomes lead to: a count, a line at the terminal, a job for the next try, a dead letter, a disabled
 * destination.
 */
@Injectable()
export class FollowUps {
  constructor(
    private readonly counter: DeliveryCounter,
    private readonly retryJobs: RetryJobs,
    private readonly deadDeliveries: DeadDeliveries,
    private readonly disabler: DestinationDisabler,
    private readonly lines: DeliveryLines,
  ) {}

  /** @param byJob whether the job that brought the delivery makes the next try itself. */
  follow(outcome: DeliveryOutcome, byJob: boolean): void {
    this.counter.count(outcome);
    this.lines.tell(outcome);
    if (outcome.state === 'pending' && !byJob) this.retryJobs.addRetry(outcome);
    if (outcome.state === 'dead') this.followDead([outcome]);
  }

  /** As {@link follow}, of a batch: it has its next try as a whole. */
  followBatch({ counts, dead }: BatchRecord): void {
    for (const { outcome, count } of counts.values()) this.counter.count(outcome, count);
    this.followDead(dead);
  }

  /** Outcomes of one destination. */
  private followDead(dead: readonly NotDelivered[]): void {
    this.deadDeliveries.follow(dead.map(deadDeliveryOf));
    // One of them disables the destination, not thousands.
    const last = dead.find(({ disableDestination }) => disableDestination);
    if (last !== undefined) void this.disabler.follow(last);
  }
}

function deadDeliveryOf({ delivery, attempt, errorClass, status }: NotDelivered): DeadDelivery {
  const { id: deliveryId, destinationId } = delivery;
  return { deliveryId, destinationId, attempt, reason: errorClass, status };
}
