import { types } from 'node:util';
import { Injectable } from '@nestjs/common';
import { askConnector } from '../../connectors/ask-connector';
import { type Connector, type OutboundEvent, sendsBatches } from '../../connectors/connector';
import { ConnectorRegistry } from '../../connectors/registry';
import type { SecretMask } from '../../connectors/secret-mask';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import type { Subject } from '../../events/customer-event';
import { EventStore, type SentPayload } from '../../events/event-store';
import { Database } from '../../platform/database/database';
import { mayPass } from '../../platform/database/failure';
import { DependencyDownError } from '../../platform/http/problems/problem';
import { OutgoingEvents } from '../sending/outgoing-events';
import { secretMaskOf } from '../sending/secrets-of-destination';
import type { SentRequestDto } from './dto/sent-request.dto';

interface SentRow {
  readonly destinationId: string;
  /** Of a notice; null of an event. */
  readonly payload: string | null;
  readonly subject: Subject;
  readonly timestamp: Date;
  readonly eventId: string;
  readonly eventType: string;
}

const readSentSql = `
  select destination_id as "destinationId", payload::text as payload, subject, event_timestamp as "timestamp",
    event_id as "eventId", event_type as "eventType"
  from delivery where id = $1`;

/** What is sent, before any mapping; of notices no source sent it. */
type Sent = Pick<SentPayload, 'payload'> & Partial<SentPayload>;

/** What a try of a delivery sends, for people to see. */
@Injectable()
export class SentRequests {
  constructor(
    private readonly database: Database,
    private readonly events: EventStore,
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
    private readonly outgoing: OutgoingEvents,
  ) {}

  /** By the destination as it is now; null when it was deleted, or the event is not stored any more. */
  async of(deliveryId: string): Promise<SentRequestDto | null> {
    const [row] = await this.database.query<SentRow>(readSentSql, [deliveryId]);
    if (row === undefined) return null;
    await this.destinations.refresh();
    const destination = this.destinations.get(row.destinationId);
    const stored = row.payload === null ? await this.readStored(row) : { payload: row.payload };
    if (destination === undefined || stored === undefined) return null;
    const { payload: body, sourceId } = stored;
    const event = { deliveryId, eventType: row.eventType, sourceId, body };
    const make = (): Promise<readonly OutboundEvent[]> => this.outgoing.eventsToShow(event, destination);
    return describeRequest(make, destination, this.connectors.get(destination.type));
  }

  private async readStored({ subject, timestamp, eventId }: SentRow): Promise<Sent | undefined> {
    const key = { subject, timestamp: timestamp.toISOString(), id: eventId };
    return (await this.events.readPayloads([key], this.database)).get(eventId);
  }
}

/** Somebody waits for it. */
const MAX_DESCRIBE_MS = 2_000;
const UNKNOWN = { method: null, url: null, headers: {}, body: null, problem: null };

/** What the connector says, without what it must not say. */
async function describeRequest(
  makeEvents: () => Promise<readonly OutboundEvent[]>,
  destination: ActiveDestination,
  connector: Connector | undefined,
): Promise<SentRequestDto> {
  const mask = secretMaskOf(destination, connector);
  let body: string | null = null;
  try {
    const [event, ...others] = await makeEvents();
    if (event === undefined) return { ...UNKNOWN, problem: 'The transformation makes nothing of the event.' };
    ({ body } = event);
    if (connector === undefined || sendsBatches(connector, destination.config))
      return { ...UNKNOWN, body: mask.text(body) };
    const described = await askConnector(MAX_DESCRIBE_MS, () =>
      connector.describeRequest?.(event, destination.config),
    );
    return {
      ...UNKNOWN,
      ...(described && masked(described, mask)),
      body: mask.text(described?.body ?? body),
      problem: others.length === 0 ? null : `The first of ${others.length + 1} requests.`,
    };
  } catch (error) {
    // Before there is a body it is none of the connector's.
    if (body === null && (error instanceof DependencyDownError || mayPass(error))) throw error;
    // May stop here: it is told. The connector is code of others.
    const problem = types.isNativeError(error) ? mask.text(error.message) : 'What was thrown is no error.';
    return { ...UNKNOWN, body: body && mask.text(body), problem };
  }
}

/** What a connector may say that no compiler has seen. */
interface Described {
  readonly method: unknown;
  readonly url: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

function masked(
  { method, url, headers }: Described,
  mask: SecretMask,
): Pick<SentRequestDto, 'method' | 'url' | 'headers'> {
  const shown = Object.entries(headers).map(([name, value]) => [name, mask.header(name, String(value))]);
  return { method: String(method), url: mask.text(String(url)), headers: Object.fromEntries(shown) };
}
