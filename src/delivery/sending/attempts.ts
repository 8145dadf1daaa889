import { Injectable } from '@nestjs/common';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { Breakers } from '../breaker/breakers';
import { isRefusal } from '../breaker/refusal';
import { FollowUps } from './follow-ups';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import { Ledger } from '../ledger/ledger';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import { OutcomeWriter } from '../ledger/recording/outcome-writer';
import { Sender } from './sender';

/** One try of one delivery: sent, told to the breaker, recorded, and followed by what follows from its outcome. */
@Injectable()
export class Attempts {
  constructor(
    private readonly sender: Sender,
    private readonly breakers: Breakers,
    private readonly writer: OutcomeWriter,
    private readonly ledger: Ledger,
    private readonly followUps: FollowUps,
  ) {}

  /** Sends. Never rejects: whatever goes wrong is an outcome. */
  async make(delivery: ClaimedDelivery, destination: ActiveDestination): Promise<DeliveryOutcome> {
    const outcome = await this.sender.sendDelivery(delivery, destination);
    this.breakers.noteOutcome(outcome);
    return outcome;
  }

  /** Resolves once it is committed; never rejects. @param byJob whether the job of the delivery makes its next try */
  async record(outcome: DeliveryOutcome, byJob: boolean): Promise<void> {
    await this.writer.record(outcome);
    this.followUps.follow(outcome, byJob);
  }

  /**
   * As {@link record}, of a try with which a destination that is down was probed. A receiver that refuses the event is
   * not: then it was a try like others.
   * @throws when PostgreSQL is away
   */
  async recordProbe(outcome: DeliveryOutcome): Promise<void> {
    if (isRefusal(outcome)) return this.record(outcome, false);
    if (outcome.state === 'pending') {
      await this.ledger.park(outcome);
      await this.breakers.noteProbe(outcome.delivery.destinationId, outcome.errorClass, outcome.waitMs);
    } else {
      await this.writer.record(outcome, true);
    }
    this.followUps.follow(outcome, true);
  }
}
