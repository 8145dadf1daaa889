import { ApiProperty, OmitType } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType, type JsonObject } from '../../../events/customer-event';
import { parseExactly } from '../../../events/exact-json';
import { lowestId, timeOfId } from '../../../events/partitions/partition-plan';
import { anonymousSubject, userSubject } from '../../../events/subject';
import { RangeEnd, RangeStart } from '../../../platform/http/instant';
import { OptionalId, OptionalOneOf, OptionalText } from '../../../platform/http/optional-members';
import { ListQueryDto } from '../../../platform/http/page';
import type { QuarantineSearch, ShownQuarantinedEvent } from '../find-quarantined-events';

/** Which quarantined events to list. */
export class QuarantinedEventsQueryDto extends ListQueryDto {
  @OptionalId()
  sourceId?: string;

  @OptionalId('Of the tracking plan that keeps them apart.')
  trackingPlanId?: string;

  @OptionalOneOf(EVENT_TYPES)
  type?: EventType;

  @OptionalText(1, 1_024, { description: 'Of a track, page or screen.' })
  name?: string;

  @OptionalText(1, 100, { description: 'One of the things that are wrong.' })
  code?: string;

  @OptionalText(1, 1_024)
  messageId?: string;

  @OptionalText(1, 1_024)
  userId?: string;

  @OptionalText(1, 1_024)
  anonymousId?: string;

  @RangeStart('Received at this time or later.')
  from?: string;

  @RangeEnd('Received before this time.')
  to?: string;
}

/** Which quarantined events to release or discard: those that the list would show. All when empty. */
export class SettleQuarantineDto extends OmitType(QuarantinedEventsQueryDto, ['limit', 'cursor']) {}

/** What an event became that was released. */
export class ReleasedEventDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'See `GET /events/{id}`. Null when an event with its `messageId` had been accepted before: then nothing more is stored.',
  })
  eventId: string | null;
}

/** How many events were released or discarded. */
export class SettledDto {
  @ApiProperty({ type: 'integer', example: 12 })
  settled: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Events that are left: beyond 10,000 call it again.',
  })
  remaining: number;
}

/** An event that its tracking plan keeps apart. */
export class QuarantinedEventDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ format: 'uuid' })
  trackingPlanId: string;

  @ApiProperty({ type: 'integer', description: 'The version that judged it.' })
  trackingPlanVersion: number;

  @ApiProperty({ type: [String], example: ['schema_violation'] })
  codes: string[];

  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({ type: String, nullable: true, example: 'Order Completed' })
  name: string | null;

  @ApiProperty()
  messageId: string;

  @ApiProperty({ format: 'date-time', description: 'When it happened.' })
  timestamp: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The event; `context.trackingPlan.violations` says what is wrong with it.',
  })
  event: JsonObject;

  static from(found: ShownQuarantinedEvent): QuarantinedEventDto {
    const { id, sourceId, planId, planVersion, codes, type, name, messageId, timestamp, payload } = found;
    return {
      id,
      receivedAt: new Date(timeOfId(id)).toISOString(),
      sourceId,
      trackingPlanId: planId,
      trackingPlanVersion: planVersion,
      codes,
      type,
      name,
      messageId,
      timestamp: timestamp.toISOString(),
      event: parseExactly(payload) as JsonObject,
    };
  }
}

/** What a query asks for, in the words of the table. */
export function searchOf({
  trackingPlanId: planId,
  userId,
  anonymousId,
  from,
  to,
  ...rest
}: SettleQuarantineDto): QuarantineSearch {
  const { sourceId, type, name, code, messageId } = rest;
  const subjects = [
    ...(userId === undefined ? [] : [userSubject(userId)]),
    ...(anonymousId === undefined ? [] : [anonymousSubject(anonymousId)]),
  ];
  return {
    sourceId,
    planId,
    type,
    name,
    code,
    messageId,
    subjects: subjects.length === 0 ? undefined : subjects,
    fromId: from === undefined ? undefined : lowestId(Date.parse(from)),
    beforeId: to === undefined ? undefined : lowestId(Date.parse(to)),
  };
}
