import { Injectable } from '@nestjs/common';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { BackgroundWork } from '../../platform/background/background-work';
import { Database } from '../../platform/database/database';
import { failureOf, isCancelled } from '../../platform/database/failure';
import { DeadDeliveries } from '../dead-letters/dead-deliveries';
import { DeliveryModes } from '../delivery-modes';
import { DeliveryWork } from '../lanes/delivery-work';
import { type EndedWait, endWaits } from '../ledger/ending/end-waits';
import { leaveOrder } from '../ledger/waiting/leave-order';
import type { DeadDelivery } from '../ledger/ending/dead-delivery';
import { PendingFrom } from '../ledger/pending-from';

const INTERVAL_MS = 2_000;
/** A round may take a fiftieth of the time. */
const PAUSE_PER_ROUND = 50;
/** Until a destination is looked at again for which that has failed: a statement that is cut off took half a minute. */
const REST_MS = 60_000;
/** One statement frees this many deliveries at most. */
const GROUP = 5_000;

/** Ends waits of destinations with an order that have become too long, and the order of those that have it no more. */
@Injectable()
export class OrderUpkeep extends BackgroundWork {
  private tookMs = 0;
  private readonly restUntil = new Map<string, number>();
  protected readonly loop = this.every(
    () => Math.max(INTERVAL_MS, this.tookMs * PAUSE_PER_ROUND),
    () => this.tidy(),
    'The order of deliveries could not be kept up',
  );

  constructor(
    private readonly database: Database,
    private readonly pendingFrom: PendingFrom,
    private readonly modes: DeliveryModes,
    private readonly deadDeliveries: DeadDeliveries,
    private readonly work: DeliveryWork,
  ) {
    super();
  }

  /** One round. @throws when PostgreSQL is away. */
  async tidy(): Promise<void> {
    this.tookMs = 0;
    for (const destination of this.modes.allOrdered())
      await this.keepUp(destination, () => this.endWaits(destination));
    for (const destination of this.modes.onceOrdered())
      await this.keepUp(destination, () => this.leaveOrder(destination));
  }

  /** @throws when PostgreSQL is away */
  private async keepUp({ id, name }: ActiveDestination, work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    if (start < (this.restUntil.get(id) ?? 0)) return;
    try {
      await work();
      this.restUntil.delete(id);
      this.tookMs += performance.now() - start;
    } catch (error) {
      if (failureOf(error) === 'outage' && !isCancelled(error)) throw error;
      // May stop here: others have people who wait, too.
      this.restUntil.set(id, performance.now() + REST_MS);
      this.logger.warn(`The order of ${name} could not be kept up: ${String(error)}`, { destinationId: id });
    }
  }

  private async endWaits({ id, enabled, order }: ActiveDestination): Promise<void> {
    if (!enabled || order === null) return;
    const ended = await endWaits(id, order, this.pendingFrom.id, this.database);
    if (ended.length === 0) return;
    if (order.afterwards === 'dead_letter') this.deadDeliveries.follow(ended.map(withoutPerson), 'expired');
    this.work.lookAt(
      id,
      ended.map(({ person }) => person),
    );
  }

  private async leaveOrder({ id }: ActiveDestination): Promise<void> {
    while (!this.loop.stopping) {
      const freed = await leaveOrder(id, GROUP, this.pendingFrom.id, this.database);
      if (freed > 0) this.work.drain(id);
      if (freed < GROUP) return;
    }
  }
}

function withoutPerson({ deliveryId, destinationId, attempt, reason }: EndedWait): DeadDelivery {
  return { deliveryId, destinationId, attempt, reason };
}
