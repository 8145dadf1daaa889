import { Injectable } from '@nestjs/common';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import type { CustomerEvent } from '../../events/customer-event';
import { Config } from '../../platform/config/config';
import type { Tx } from '../../platform/database/database';
import { readPeople } from './person-of-event';
import { RoutingTable } from './routing-table';

/** Decides which destinations get an event. */
@Injectable()
export class Router {
  private table = new RoutingTable<ActiveDestination>([]);
  private madeFrom: unknown;

  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly config: Config,
  ) {}

  /** Learns what destinations there are now. To be called first, in the transaction that routes. */
  refresh(tx: Tx): Promise<void> {
    return this.destinations.refresh(undefined, tx);
  }

  /** The events that each destination gets, in their order. Reads of people only what a filter asks for. */
  async match(events: readonly CustomerEvent[], tx: Tx): Promise<Map<ActiveDestination, CustomerEvent[]>> {
    const table = this.currentTable();
    const personOf = await readPeople(events, table, this.config.events.retentionDays, tx);
    const nowMs = Date.now();
    const matched = new Map<ActiveDestination, CustomerEvent[]>();
    for (const event of events) {
      for (const destination of table.match(event, personOf(event), nowMs)) {
        const known = matched.get(destination);
        if (known === undefined) matched.set(destination, [event]);
        else known.push(event);
      }
    }
    return matched;
  }

  /** The destinations that ask for notices. */
  get audience(): ActiveDestination[] {
    return [...this.destinations.snapshot.values()].filter(({ notices }) => notices.length > 0);
  }

  /** A destination that was matched or is in the audience. */
  destination(destinationId: string): ActiveDestination | undefined {
    return this.destinations.get(destinationId);
  }

  private currentTable(): RoutingTable<ActiveDestination> {
    const { snapshot } = this.destinations;
    if (this.madeFrom === snapshot) return this.table;
    this.table = new RoutingTable(
      [...snapshot.values()]
        // A filter that this version cannot read must not widen: the destination gets nothing until it is mended.
        .filter(({ filter }) => filter !== 'unreadable')
        .map((destination) => ({
          destination,
          sources: destination.sources ?? undefined,
          filter: destination.filter === 'unreadable' ? undefined : destination.filter,
        })),
    );
    this.madeFrom = snapshot;
    return this.table;
  }
}
