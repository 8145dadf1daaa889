import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeliveryWithAttemptsDto } from '../../delivery/api/dto/delivery.dto';
import { DELIVERY_STATES } from '../../delivery/ledger/delivery.entity';
import type { JsonValue } from '../../events/customer-event';
import { OptionalId } from '../../platform/http/input/optional-members';
import { ANY_JSON } from '../../platform/openapi/any-json';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { IsText } from '../../platform/http/input/text';
import { QuarantinedEventDto } from '../../tracking-plans/quarantine/dto/quarantined-event.dto';
import { EventDto } from './event.dto';
import { RejectedEventDto } from './rejected-event.dto';

/** Which message to trace. */
export class TraceQueryDto {
  @ApiProperty({ example: EXAMPLE_IDS.message })
  @IsText(1, 1_024)
  messageId: string;

  @OptionalId('Of all sources without it.')
  sourceId?: string;
}

export class TracedConditionDto {
  @ApiProperty({ example: 'properties.total' })
  field: string;

  @ApiProperty({ example: 'gte' })
  operator: string;

  @ApiPropertyOptional({ ...ANY_JSON, example: 10, description: 'What the condition asks for.' })
  value?: JsonValue | undefined;

  @ApiPropertyOptional({
    ...ANY_JSON,
    example: 5,
    description:
      'What the event has there, or the person now of `computed.<name>`; left out where there is nothing.',
  })
  seen?: JsonValue | undefined;
}

const PARTS = [
  'sources',
  'types',
  'events',
  'conditions',
  'segments',
  'unreadable_filter',
  'destination_is_younger',
  'not_processed',
  'changed_since',
] as const;

export class NotRoutedBecauseDto {
  @ApiProperty({
    enum: PARTS,
    description:
      'A part of the destination as it is now that says no. `destination_is_younger`: than the event; where ' +
      'nothing else is named, a replay sends it. `not_processed`: ' +
      'the event is not routed yet, or could not be processed. `changed_since`: nothing says no now, so the destination, ' +
      'or the segments and computed traits of the person, were others then; or the delivery is past `CDP_DELIVERY_RETENTION_DAYS`.',
  })
  part: (typeof PARTS)[number];

  @ApiPropertyOptional({ type: [TracedConditionDto], description: 'Those that do not hold.' })
  conditions?: TracedConditionDto[];
}

/** What became of an event at a destination. Replays make further deliveries, which have a `replayId`. */
export class TracedDestinationDto {
  @ApiProperty({ format: 'uuid' })
  destinationId: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null when it was deleted.' })
  destinationName: string | null;

  @ApiProperty({ enum: [...DELIVERY_STATES, 'not_routed'] })
  outcome: (typeof DELIVERY_STATES)[number] | 'not_routed';

  @ApiProperty({
    type: DeliveryWithAttemptsDto,
    nullable: true,
    description: 'With every try; of a pending one why it waits, of a dead one the reason.',
  })
  delivery: DeliveryWithAttemptsDto | null;

  @ApiProperty({ type: [NotRoutedBecauseDto], description: 'Why it was not routed there.' })
  because: NotRoutedBecauseDto[];
}

export class TracedProfileDto {
  @ApiProperty({ type: String, nullable: true, description: 'Null for a visitor who is no user.' })
  userId: string | null;

  @ApiProperty({ type: String, nullable: true })
  anonymousId: string | null;

  @ApiProperty({
    description:
      'Whether the id of the event belongs to another id by now: the visitor became a user, or users were merged.',
  })
  merged: boolean;
}

export class TracedSegmentDto {
  @ApiProperty({ format: 'uuid' })
  segmentId: string;

  @ApiProperty()
  segmentName: string;

  @ApiProperty({ enum: ['entered', 'left'] })
  change: 'entered' | 'left';

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** The way of an event through the service. */
export class TraceDto {
  @ApiProperty({ enum: ['accepted', 'rejected', 'quarantined'] })
  outcome: 'accepted' | 'rejected' | 'quarantined';

  @ApiProperty({
    type: EventDto,
    nullable: true,
    description:
      'The event that was stored. It stands for all that came with its messageId within the window of deduplication.',
  })
  event: EventDto | null;

  @ApiProperty({ type: RejectedEventDto, nullable: true, description: 'The event that was not accepted.' })
  rejected: RejectedEventDto | null;

  @ApiProperty({
    type: QuarantinedEventDto,
    nullable: true,
    description: 'The event that a tracking plan quarantined.',
  })
  quarantined: QuarantinedEventDto | null;

  @ApiProperty({
    enum: ['waiting', 'failed', 'processed'],
    nullable: true,
    description: 'Whether profiles, segments and destinations know of it.',
  })
  processing: 'waiting' | 'failed' | 'processed' | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it could not be processed.' })
  failedBecause: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Milliseconds from reception to routing, as the first delivery tells; null when there was none.',
  })
  waitedMs: number | null;

  @ApiProperty({ type: TracedProfileDto, nullable: true, description: 'Whose profile has it now.' })
  profile: TracedProfileDto | null;

  @ApiProperty({
    type: [TracedSegmentDto],
    description:
      'Segments that the person entered since the event was received and is in now, or left, within a month; by the ' +
      'rules as they are now.',
  })
  segments: TracedSegmentDto[];

  @ApiProperty({ type: [TracedDestinationDto], description: 'Every destination there is.' })
  destinations: TracedDestinationDto[];
}
