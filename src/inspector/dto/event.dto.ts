import { ApiProperty } from '@nestjs/swagger';
import type { CustomerEvent, JsonObject } from '../../events/customer-event';
import { EventHeadDto, headOf } from '../../events/event-head.dto';
import { payloadOf } from '../../events/event-payload';
import { parseExactly } from '../../events/exact-json';

/** An accepted event as it is stored. */
export class EventDto extends EventHeadDto {
  @ApiProperty({ description: 'Given by the source.' })
  messageId: string;

  @ApiProperty({ type: String, nullable: true })
  userId: string | null;

  @ApiProperty({ type: String, nullable: true })
  anonymousId: string | null;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The event as destinations without a mapping get it; numbers have the digits that were sent.',
  })
  payload: JsonObject;

  /** @param event that was read from the store: with its text. */
  static from(event: CustomerEvent): EventDto {
    return {
      ...headOf(event),
      messageId: event.messageId,
      userId: event.userId ?? null,
      anonymousId: event.anonymousId ?? null,
      receivedAt: event.receivedAt,
      payload: parseExactly(payloadOf(event) as string) as JsonObject,
    };
  }
}
