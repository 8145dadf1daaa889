import { Injectable } from '@nestjs/common';
import type { BatchRecord } from '../batches/record-batch';
import { SwitchOff } from '../breaker/switch-off';
import { DeliveryLines } from './delivery-lines';
import { GivenUp } from '../dead-letters/given-up';
import type { GivenUpDelivery } from '../ledger/ending/given-up-delivery';
import type { DeliveryOutcome, NotDelivered } from '../ledger/recording/delivery-outcome';
import { RetryJobs } from '../retries/retry-jobs';
import { DeliveryCounter } from '../stats/delivery-counter';

/**
 * What recorded outcomes lead to: a count, a line at the terminal, a job for the next try, a dead letter, a destination
 * switched off.
 */
@Injectable()
export class FollowUps {
  constructor(
    private readonly counter: DeliveryCounter,
    private readonly retryJobs: RetryJobs,
    private readonly givenUp: GivenUp,
    private readonly switchOff: SwitchOff,
    private readonly lines: DeliveryLines,
  ) {}

  /** @param byJob whether the job that brought the delivery makes the next try itself. */
  follow(outcome: DeliveryOutcome, byJob: boolean): void {
    this.counter.count(outcome);
    this.lines.tell(outcome);
    if (outcome.state === 'pending' && !byJob) this.retryJobs.addRetry(outcome);
    if (outcome.state === 'dead') this.giveUp([outcome]);
  }

  /** As {@link follow}, of a batch: it has its next try as a whole. */
  followBatch({ counts, dead }: BatchRecord): void {
    for (const { outcome, count } of counts.values()) this.counter.count(outcome, count);
    this.giveUp(dead);
  }

  /** Outcomes of one destination that gave their deliveries up. */
  private giveUp(dead: readonly NotDelivered[]): void {
    this.givenUp.follow(dead.map(givenUpBy));
    // One of them switches the destination off, not thousands.
    const last = dead.find(({ disableDestination }) => disableDestination);
    if (last !== undefined) void this.switchOff.follow(last);
  }
}

/** The delivery that an outcome gave up. */
function givenUpBy({ delivery, attempt, errorClass, status }: NotDelivered): GivenUpDelivery {
  const { id: deliveryId, destinationId } = delivery;
  return { deliveryId, destinationId, attempt, reason: errorClass, status };
}
