import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, eventName, type EventType, type JsonObject } from '../../events/customer-event';
import type { FoundEvent } from '../../events/reading/event-finder';

/** An accepted event as it is stored. */
export class EventDto {
  @ApiProperty({ format: 'uuid', description: 'Given by this service at reception.' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({
    example: 'Order Completed',
    description: 'Event name of a track, name of a page or screen, otherwise the type.',
  })
  name: string;

  @ApiProperty({ description: 'Given by the source.' })
  messageId: string;

  @ApiProperty({ type: String, nullable: true })
  userId: string | null;

  @ApiProperty({ type: String, nullable: true })
  anonymousId: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it happened.' })
  timestamp: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The event as destinations without a mapping get it.',
  })
  payload: JsonObject;

  static from({ event, payload }: FoundEvent): EventDto {
    return {
      id: event.id,
      sourceId: event.sourceId,
      type: event.type,
      name: eventName(event),
      messageId: event.messageId,
      userId: event.userId ?? null,
      anonymousId: event.anonymousId ?? null,
      timestamp: event.timestamp,
      receivedAt: event.receivedAt,
      payload,
    };
  }
}
