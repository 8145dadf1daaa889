import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  type CustomerEvent,
  EVENT_TYPES,
  eventName,
  type EventType,
  type JsonObject,
} from '../../../events/customer-event';

/** One event of a profile. */
export class ProfileEventDto {
  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({
    type: String,
    description: 'Event name of a track, name of a page or screen, otherwise the type.',
    example: 'Order Completed',
  })
  event: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  timestamp: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the event carried; {} when nothing.',
  })
  properties: JsonObject;

  @ApiProperty({ type: String, format: 'uuid', description: 'Given by this service at reception.' })
  id: string;

  @ApiProperty({ type: String, description: 'Given by the source.' })
  messageId: string;

  @ApiPropertyOptional({ type: String })
  userId?: string;

  @ApiPropertyOptional({ type: String })
  anonymousId?: string;

  @ApiPropertyOptional({ type: String, description: 'Of a group event.' })
  groupId?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Traits of an identify or group event.',
  })
  traits?: JsonObject;

  static from(id: string, event: CustomerEvent): ProfileEventDto {
    return {
      type: event.type,
      event: eventName(event),
      timestamp: event.timestamp,
      properties: 'properties' in event ? (event.properties ?? {}) : {},
      id,
      messageId: event.messageId,
      userId: event.userId,
      anonymousId: event.anonymousId,
      groupId: event.type === 'group' ? event.groupId : undefined,
      traits: 'traits' in event ? event.traits : undefined,
    };
  }
}
