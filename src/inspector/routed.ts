import { Injectable } from '@nestjs/common';
import { DeliveryReader } from '../delivery/api/delivery-reader';
import { type DeliveryOfEvent, findDeliveriesOfEvent } from '../delivery/ledger/find-deliveries-of-event';
import { explainRoute } from '../delivery/routing/explain-route';
import { type PersonOfEvent, readPeople } from '../delivery/routing/person-of-event';
import { type ActiveDestination, ActiveDestinations } from '../destinations/active-destinations';
import { computedTraitsOf } from '../destinations/filter/filter';
import type { CustomerEvent } from '../events/customer-event';
import { timeOfId } from '../events/partitions/partition-plan';
import { Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import type { NotRoutedBecauseDto, TracedDestinationDto } from './dto/trace.dto';

/** Deliveries that are read at once. An event may have a thousand, and others wait for connections too. */
const READS_AT_ONCE = 4;

/** What became of an event at each destination. */
@Injectable()
export class Routed {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveryReader,
    private readonly destinations: ActiveDestinations,
    private readonly config: Config,
  ) {}

  async of(event: CustomerEvent, isProcessed: boolean): Promise<TracedDestinationDto[]> {
    const found = await findDeliveriesOfEvent(event, this.database);
    const delivered: TracedDestinationDto[] = [];
    for (let next = 0; next < found.length; next += READS_AT_ONCE) {
      const some = found.slice(next, next + READS_AT_ONCE);
      delivered.push(...(await Promise.all(some.map((one) => this.tell(one)))));
    }
    await this.destinations.refresh();
    const reached = new Set(found.map(({ destinationId }) => destinationId));
    const others = [...this.destinations.snapshot.values()].filter(({ id }) => !reached.has(id));
    const person = await this.personOf(event, others);
    const left = others.map((destination) => ({
      ...this.named(destination.id),
      outcome: 'not_routed' as const,
      delivery: null,
      because: whyNot(destination, event, person, isProcessed),
    }));
    return [...delivered, ...left];
  }

  private async tell({ deliveryId, destinationId }: DeliveryOfEvent): Promise<TracedDestinationDto> {
    const delivery = await this.deliveries.findOne(deliveryId);
    return { ...this.named(destinationId), outcome: delivery.state, delivery, because: [] };
  }

  private named(destinationId: string): { destinationId: string; destinationName: string | null } {
    return { destinationId, destinationName: this.destinations.get(destinationId)?.name ?? null };
  }

  private async personOf(
    event: CustomerEvent,
    destinations: readonly ActiveDestination[],
  ): Promise<PersonOfEvent> {
    const filters = destinations
      .map(({ filter }) => (filter === 'unreadable' ? undefined : filter))
      .filter((filter) => filter !== undefined);
    const asked = {
      segmentIds: new Set(filters.flatMap(({ segments = [] }) => segments)),
      traitNames: new Set(filters.flatMap(computedTraitsOf)),
    };
    const personOf = await readPeople([event], asked, this.config.events.retentionDays, this.database);
    return personOf(event);
  }
}

/**
 * What says no now. Nobody writes down why an event was not routed: where nothing does, something has changed since.
 */
function whyNot(
  { id, sources, filter }: ActiveDestination,
  event: CustomerEvent,
  person: PersonOfEvent,
  isProcessed: boolean,
): NotRoutedBecauseDto[] {
  if (!isProcessed) return [{ part: 'not_processed' }];
  const younger = timeOfId(id) > timeOfId(event.id) ? [{ part: 'destination_is_younger' as const }] : [];
  if (filter === 'unreadable') return [...younger, { part: 'unreadable_filter' }];
  const unmet = explainRoute({ sources: sources ?? undefined, filter }, event, person, Date.now());
  const because = [...younger, ...unmet.map((part) => ({ ...part, conditions: part.conditions?.slice() }))];
  return because.length > 0 ? because : [{ part: 'changed_since' }];
}
