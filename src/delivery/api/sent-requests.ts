import { Injectable } from '@nestjs/common';
import { isBatchConnector } from '../../connectors/connector';
import { ConnectorRegistry } from '../../connectors/registry';
import { ActiveDestinations } from '../../destinations/active-destinations';
import type { Subject } from '../../events/customer-event';
import { EventStore } from '../../events/event-store';
import { Database } from '../../platform/database/database';
import type { SentRequestDto } from './dto/delivery.dto';

interface SentRow extends Record<string, unknown> {
  readonly destinationId: string;
  /** Of a notice; null of an event. */
  readonly payload: string | null;
  readonly subject: Subject;
  readonly timestamp: Date;
  readonly eventId: string;
}

const readSentSql = `
  select destination_id as "destinationId", payload::text as payload, subject, event_timestamp as "timestamp",
    event_id as "eventId"
  from delivery where id = $1`;

/** What a try of a delivery sends, for people to see. */
@Injectable()
export class SentRequests {
  constructor(
    private readonly database: Database,
    private readonly events: EventStore,
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
  ) {}

  /** By the destination as it is now; null when it was deleted, or the event is not stored any more. */
  async of(deliveryId: string): Promise<SentRequestDto | null> {
    const [row] = await this.database.query<SentRow>(readSentSql, [deliveryId]);
    if (row === undefined) return null;
    await this.destinations.refresh();
    const destination = this.destinations.get(row.destinationId);
    const stored = row.payload ?? (await this.readPayload(row));
    if (destination === undefined || stored === undefined) return null;
    const body = destination.mapEvent?.(stored) ?? stored;
    const connector = this.connectors.get(destination.type);
    const described =
      connector === undefined || isBatchConnector(connector)
        ? undefined
        : connector.describeRequest?.({ deliveryId, body }, destination.config);
    return { method: null, url: null, headers: {}, ...described, body };
  }

  private async readPayload({ subject, timestamp, eventId }: SentRow): Promise<string | undefined> {
    const key = { subject, timestamp: timestamp.toISOString(), id: eventId };
    return (await this.events.readPayloads([key], this.database)).get(eventId);
  }
}
