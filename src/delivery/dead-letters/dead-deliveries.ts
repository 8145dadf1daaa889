import { Injectable, Logger } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import type { DeadDelivery } from '../ledger/ending/dead-delivery';
import { DeliveryCounter } from '../stats/delivery-counter';
import { DeadLetterQueue } from './dead-letter-queue';
import { DeadLines } from './dead-lines';

/** Letters gather for this long before they are filed together. */
const GATHER_MS = 10;

/**
 * What follows when deliveries are dead, whatever the cause (out of tries, too old, refused for good, their event
 * not stored any more): each is told of, counted and gets its letter in the queue `dead-letters`.
 */
@Injectable()
export class DeadDeliveries {
  private readonly lines: DeadLines;
  private waiting: string[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    destinations: ActiveDestinations,
    private readonly letters: DeadLetterQueue,
    private readonly counter: DeliveryCounter,
  ) {
    this.lines = new DeadLines(new Logger(DeadDeliveries.name), (id) => destinations.get(id)?.name);
  }

  /** Call it once they are committed. @param outcome `expired` when it was no try that ended them */
  follow(deliveries: readonly DeadDelivery[], outcome: 'dead' | 'expired' = 'dead'): void {
    if (deliveries.length === 0) return;
    for (const delivery of deliveries) this.lines.tell(delivery);
    for (const { destinationId } of deliveries) this.counter.countDead(destinationId, outcome);
    // Not with a spread: a batch may be larger than the stack.
    for (const { deliveryId } of deliveries) this.waiting.push(deliveryId);
    this.timer ??= setTimeout(() => void this.file(), GATHER_MS);
  }

  private async file(): Promise<void> {
    this.timer = undefined;
    const ids = this.waiting;
    this.waiting = [];
    await this.letters.file(ids);
  }
}
