import { Injectable } from '@nestjs/common';
import type { ActiveDestination } from '../../destinations/active-destinations';
import type { OpenTransaction } from '../../platform/database/database';
import { DestinationHealth } from '../breaker/destination-health';
import { DeliveryModes } from '../delivery-modes';
import { insertOrderedDeliveries, type NewDelivery, type OrderedDelivery } from '../ledger/insert-deliveries';
import { followMerged } from '../ledger/waiting/follow-merged';
import { PendingFrom } from '../ledger/pending-from';
import { personKey } from './person-key';
import type { PeopleOfEvents, Positions } from './positions';
import type { HeadHint } from './head-hints';

/** Writes the deliveries of destinations with an order. */
@Injectable()
export class OrderedDeliveries {
  constructor(
    private readonly modes: DeliveryModes,
    private readonly health: DestinationHealth,
    private readonly pendingFrom: PendingFrom,
  ) {}

  /** What waits for people who have become others is in the order of those from now on. */
  follow({ merged }: PeopleOfEvents, tx: OpenTransaction): void {
    if (merged.length === 0) return;
    const destinationIds = this.modes.allOrdered().map(({ id }) => id);
    if (destinationIds.length === 0) return;
    const from = merged.map((people) => personKey(people.from));
    const into = merged.map((people) => personKey(people.into));
    followMerged({ destinationIds, from, into }, this.pendingFrom.id, tx);
  }

  /** @returns whose turn it may be, once the transaction has committed */
  insert(
    destination: ActiveDestination,
    deliveries: readonly NewDelivery[],
    positions: Positions,
    tx: OpenTransaction,
  ): HeadHint[] {
    const ordered = deliveries.map((delivery): OrderedDelivery => {
      const { person, position } = positions.of(delivery);
      return { person, position, ...delivery };
    });
    insertOrderedDeliveries(ordered, tx);
    if (!destination.enabled || this.health.isOpen(destination.id)) return [];
    return [hintOf(destination.id, ordered)];
  }
}

function hintOf(destinationId: string, deliveries: readonly OrderedDelivery[]): HeadHint {
  let highest: bigint | undefined;
  for (const { position } of deliveries) {
    const number = position === undefined ? undefined : BigInt(position);
    if (number !== undefined && number > (highest ?? -1n)) highest = number;
  }
  return { destinationId, people: [...new Set(deliveries.map(({ person }) => person))], position: highest };
}
