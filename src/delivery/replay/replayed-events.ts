import { Injectable } from '@nestjs/common';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import type { ParsedFilter } from '../../destinations/filter/filter';
import { parseFilter } from '../../destinations/filter/parse-filter';
import type { CustomerEvent, EventKey, JsonObject } from '../../events/customer-event';
import { EventStore } from '../../events/event-store';
import { type EventRange, readEventKeys } from '../../events/reading/event-range';
import { userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import type { OpenTransaction, Tx } from '../../platform/database/database';
import { newRowId } from '../../platform/database/connections/database-clock';
import { shareLockPeople } from '../../profiles/identity/share-lock-people';
import { DeliveryModes } from '../delivery-modes';
import { insertDeliveries, insertOrderedDeliveries, type NewDelivery } from '../ledger/insert-deliveries';
import { Positions } from '../order/positions';
import { readPeople } from '../routing/person-of-event';
import { type Route, RoutingTable } from '../routing/routing-table';
import type { EventSelection, ReplayFilter } from './replay-filter';

/** Of JSON in one step; parsed it may take 24 times that. The rate is not reached with events of 30 KB. */
const MAX_STEP_BYTES = 2 * 1024 * 1024;

/** Some events of a replay, in their order. */
interface ReplayedPart {
  /** Those that were looked at. */
  readonly seen: readonly EventKey[];
  /** Those of them that are to be sent. */
  readonly wanted: readonly CustomerEvent[];
  readonly isLast: boolean;
}

interface Demand {
  readonly destinationId: string;
  readonly filter: ReplayFilter;
  readonly after: EventKey | undefined;
  /** Events to look at, at most. */
  readonly limit: number;
}

/** Whose events a replay looks at: those of a user are found by their key. */
export function eventRangeOf({ fromId, toId, selection }: ReplayFilter): EventRange {
  const userId = selection?.userId ?? undefined;
  return { fromId, toId, subject: userId === undefined ? undefined : userSubject(userId) };
}

/** Reads the events that a replay sends: those that the destination asks for, and the replay does. */
@Injectable()
export class ReplayedEvents {
  constructor(
    private readonly events: EventStore,
    private readonly destinations: ActiveDestinations,
    private readonly modes: DeliveryModes,
    private readonly config: Config,
  ) {}

  async read({ destinationId, filter, after, limit }: Demand, tx: Tx): Promise<ReplayedPart> {
    const keys = await readEventKeys(eventRangeOf(filter), after, limit, tx);
    const { events, firstLeft } = await this.events.readFirstEvents(keys, MAX_STEP_BYTES, tx);
    const end = firstLeft === undefined ? keys.length : keys.findIndex(({ id }) => id === firstLeft);
    return {
      seen: keys.slice(0, end),
      wanted: await this.select(events, destinationId, filter.selection, tx),
      isLast: firstLeft === undefined && keys.length < limit,
    };
  }

  /** Writes their deliveries. In a destination with an order they are behind all that was accepted so far. */
  async write(
    { id: replayId, destinationId }: { readonly id: string; readonly destinationId: string },
    events: readonly CustomerEvent[],
    tx: OpenTransaction,
  ): Promise<void> {
    const deliveries = events.map((event): NewDelivery => ({
      id: newRowId(),
      destinationId,
      event,
      replayId,
    }));
    const destination = this.modes.destination(destinationId);
    if (destination === undefined || !this.modes.hasOrder(destination))
      return insertDeliveries(deliveries, 0, tx);
    const roots = await shareLockPeople(
      events.map(({ subject }) => subject),
      tx,
    );
    const positions = new Positions([], { rootOf: (subject) => roots.get(subject) ?? subject, merged: [] });
    insertOrderedDeliveries(
      deliveries.map((delivery) => ({ ...delivery, ...positions.of(delivery) })),
      tx,
    );
  }

  private async select(
    events: readonly CustomerEvent[],
    destinationId: string,
    selection: EventSelection | undefined,
    tx: Tx,
  ): Promise<CustomerEvent[]> {
    await this.destinations.refresh(undefined, tx);
    const routes = routesOf(this.destinations.get(destinationId), selection);
    if (routes === undefined) return [];
    const table = new RoutingTable(routes);
    const personOf = await readPeople(events, table, this.config.events.retentionDays, tx);
    const nowMs = Date.now();
    return events.filter((event) => table.match(event, personOf(event), nowMs).length === routes.length);
  }
}

/** What an event must pass, each part under a name; undefined when nothing passes. */
function routesOf(
  destination: ActiveDestination | undefined,
  selection: EventSelection | undefined,
): Route<string>[] | undefined {
  const own = destination?.filter;
  // What cannot be read must not widen.
  if (destination === undefined || own === 'unreadable') return undefined;
  const routes: Route<string>[] = [
    { destination: 'destination', sources: destination.sources ?? undefined, filter: own },
  ];
  if (selection === undefined) return routes;
  const parts = [selection.filter, personFilter(selection)].filter((part) => part !== null).map(parse);
  if (parts.includes(undefined)) return undefined;
  routes.push({ destination: 'sources', sources: selection.sources ?? undefined, filter: undefined });
  parts.forEach((filter, index) => {
    routes.push({ destination: `part ${index}`, sources: undefined, filter });
  });
  return routes;
}

function personFilter({ userId, anonymousId }: EventSelection): JsonObject | null {
  const conditions = Object.entries({ userId, anonymousId }).flatMap(([field, value]) =>
    value === null ? [] : [{ field, operator: 'eq', value }],
  );
  return conditions.length === 0 ? null : { conditions };
}

function parse(filter: JsonObject): ParsedFilter | undefined {
  const result = parseFilter(filter);
  return result.ok ? result.filter : undefined;
}
