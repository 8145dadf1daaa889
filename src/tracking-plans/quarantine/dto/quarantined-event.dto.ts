import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty } from 'class-validator';
import { EVENT_TYPES, type EventType, type JsonObject } from '../../../events/customer-event';
import { parseExactly } from '../../../events/exact-json';
import { timeOfId } from '../../../events/partitions/partition-plan';
import { UnstoredEventsQueryDto, unstoredSearchOf } from '../../../events/unstored/unstored-events-query.dto';
import { IsIds } from '../../../platform/http/input/ids';
import { Optional } from '../../../platform/http/input/optional';
import { OptionalId, OptionalOneOf } from '../../../platform/http/input/optional-members';
import type { QuarantineSearch, ShownQuarantinedEvent } from '../find-quarantined-events';

/** Named by one call. */
const MAX_IDS = 1_000;

/** Which quarantined events to list. */
export class QuarantinedEventsQueryDto extends UnstoredEventsQueryDto {
  @OptionalId('Of the tracking plan that keeps them apart.')
  trackingPlanId?: string;

  @OptionalOneOf(EVENT_TYPES)
  type?: EventType;
}

/** Which quarantined events to release or discard: those that the list would show. All when empty. */
export class SettleQuarantineDto extends OmitType(QuarantinedEventsQueryDto, ['limit', 'cursor']) {
  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: MAX_IDS,
    description: 'Only these of them, by their `id`.',
  })
  // Not null, which is none to a program that has none: it must not mean all.
  @Optional()
  @IsIds()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_IDS)
  ids?: string[];
}

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
    description:
      'Events that are left: call it again. They are counted up to 10,000, as many as a call settles; then there may be more.',
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
  ids,
  ...query
}: SettleQuarantineDto & { readonly cursor?: string }): QuarantineSearch {
  return { ...unstoredSearchOf(query), planId, ids };
}
