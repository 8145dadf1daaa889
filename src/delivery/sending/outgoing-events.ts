import { Injectable } from '@nestjs/common';
import type { OutboundEvent } from '../../connectors/connector';
import { PermanentDeliveryError } from '../../connectors/delivery-error';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { EVENT_TYPES } from '../../events/customer-event';
import { Sandbox } from '../../transformations/sandbox/sandbox';
import type { SandboxedCode } from '../../transformations/sandbox/sandbox-result';
import { failureText, transformEvent } from '../../transformations/transform-event';
import { DeliveryContext } from './delivery-context';
import { mappedEvent } from './mapped-event';

/** Not deletions, and what the service tells of itself: receivers rely on their form. */
const TRANSFORMED: ReadonlySet<string> = new Set(EVENT_TYPES);

/**
 * Makes what is sent to a destination out of what is stored. The same each time, as long as the destination is. Events
 * of a batch are not transformed, see `readBatchEvents`.
 */
@Injectable()
export class OutgoingEvents {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly context: DeliveryContext,
  ) {}

  /**
   * What a try sends, in that order; one, unless a transformation makes none of it or several, with ids of their own.
   * What it looks at of the person is kept for the next try.
   * @throws PermanentDeliveryError when the transformation fails; RetryableDeliveryError when PostgreSQL is away
   */
  eventsToSend(stored: OutboundEvent, destination: ActiveDestination): Promise<OutboundEvent[]> {
    return this.eventsFrom(stored, destination, () => this.context.keep(stored.deliveryId));
  }

  /**
   * The same for people to see; nothing is kept.
   * @throws PermanentDeliveryError when the transformation fails; what PostgreSQL throws
   */
  eventsToShow(stored: OutboundEvent, destination: ActiveDestination): Promise<OutboundEvent[]> {
    return this.eventsFrom(stored, destination, () => this.context.show(stored.deliveryId));
  }

  /** @param context JSON of what the transformation may know beside the event; asked where it looks at it */
  private async eventsFrom(
    stored: OutboundEvent,
    { transformation, mapEvent }: ActiveDestination,
    context: () => Promise<string>,
  ): Promise<OutboundEvent[]> {
    const { deliveryId, eventType, sourceId, body } = stored;
    const bodies =
      transformation === undefined || !TRANSFORMED.has(eventType)
        ? [body]
        : await this.transform(body, transformation, context);
    return bodies.map((one, index) => {
      const id = bodies.length === 1 ? deliveryId : `${deliveryId}.${index}`;
      return mappedEvent({ deliveryId: id, eventType, sourceId, body: one }, mapEvent);
    });
  }

  private async transform(
    body: string,
    code: SandboxedCode,
    context: () => Promise<string>,
  ): Promise<readonly string[]> {
    const result = await transformEvent(this.sandbox, code, body, { context });
    if ('events' in result) return result.events;
    const excerpt = failureText(result.failure);
    throw new PermanentDeliveryError('transformation_failed', { excerpt, isOfEvent: true });
  }
}
