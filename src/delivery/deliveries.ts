import { Injectable } from '@nestjs/common';
import type { ActiveDestination } from '../destinations/active-destinations';
import type { CustomerEvent } from '../events/customer-event';
import type { OpenTransaction, Tx } from '../platform/database/database';
import { newRowId } from '../platform/database/connections/database-clock';
import type { PersonChange } from '../segments/membership/person-change';
import { DeliveryWriter, type NewDeliveries } from './delivery-writer';
import { FirstTries } from './first-tries';
import type { NewDelivery } from './ledger/insert-deliveries';
import { type NewNotice, personNotice } from './new-notices';
import { OrderedDeliveries } from './order/ordered-deliveries';
import { AS_THEY_ARE, type PeopleOfEvents, Positions } from './order/positions';
import { Router } from './routing/router';

/** What came of telling destinations something. */
interface Announcement {
  /** How many are told; those that are paused or down, later. */
  readonly destinations: number;
  readonly made: NewDeliveries;
}

/** The way from a processed event to its deliveries. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly firstTries: FirstTries,
    private readonly router: Router,
    private readonly ordered: OrderedDeliveries,
    private readonly writer: DeliveryWriter,
  ) {}

  /** Learns what destinations there are now. To be called first, in the transaction that routes. */
  refresh(tx: Tx): Promise<void> {
    return this.router.refresh(tx);
  }

  /**
   * Decides which destinations get an event, and which are told that somebody moved into or out of a segment or has
   * another value of a computed trait, and writes one pending delivery for each, inside the caller's transaction. The
   * caller enqueues the answer once it has committed.
   */
  async route(
    events: readonly CustomerEvent[],
    moved: readonly PersonChange[],
    tx: OpenTransaction,
    people: PeopleOfEvents = AS_THEY_ARE,
  ): Promise<NewDeliveries> {
    const wanted: NewDelivery[] = [];
    for (const [destination, matched] of await this.router.match(events, tx)) {
      for (const event of matched) wanted.push({ id: newRowId(), destinationId: destination.id, event });
    }
    const told = this.deliveriesOf(moved.map(personNotice));
    this.ordered.follow(people, tx);
    return this.writer.insert([...wanted, ...told], new Positions(events, people), tx);
  }

  /** Tells the destinations that asked for it, like {@link route}. */
  async announce(notices: readonly NewNotice[], tx: OpenTransaction): Promise<Announcement> {
    await this.refresh(tx);
    const told = this.deliveriesOf(notices);
    const destinations = new Set(told.map(({ destinationId }) => destinationId)).size;
    return { destinations, made: this.writer.insert(told, new Positions([], AS_THEY_ARE), tx) };
  }

  /** Enqueues first tries. Never rejects: what the queue does not take now, the sweeper finds. */
  async enqueue(...made: readonly NewDeliveries[]): Promise<void> {
    await this.firstTries.bringOn(
      made.flatMap(({ chunks }) => chunks),
      made.flatMap(({ heads }) => heads),
    );
  }

  private deliveriesOf(notices: readonly NewNotice[]): NewDelivery[] {
    if (notices.length === 0) return [];
    const { audience } = this.router;
    return notices.flatMap((notice) =>
      audience
        .filter((destination) => isToldOf(destination, notice))
        .map(({ id }) => ({ id: newRowId(), destinationId: id, event: notice, payload: notice.payload })),
    );
  }
}

/** Whether a destination asks for a notice, and it is not about the destination itself. */
function isToldOf(
  { id, notices, noticeTraits }: Pick<ActiveDestination, 'id' | 'notices' | 'noticeTraits'>,
  { kind, about, trait }: NewNotice,
): boolean {
  if (!notices.includes(kind) || id === about) return false;
  return trait === undefined || noticeTraits === null || noticeTraits.includes(trait);
}
