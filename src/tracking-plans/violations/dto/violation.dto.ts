import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../events/customer-event';
import { RangeEnd, RangeStart } from '../../../platform/http/input/instant';
import { OptionalId } from '../../../platform/http/input/optional-members';

/** Which violations of a plan to show. */
export class ViolationsQueryDto {
  @OptionalId()
  sourceId?: string;

  @RangeStart('From this minute on; default: an hour ago.')
  from?: string;

  @RangeEnd('Minutes that begin before this time; default: now.')
  to?: string;
}

/** An event in which there was a violation. */
export class ViolationSampleDto {
  @ApiProperty({ format: 'uuid' })
  eventId: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of the `event`; null without it.' })
  messageId: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'The event, as it is stored or quarantined. Null of kinds that are not among the 20 with most events: they are not looked up, and may be gone.',
  })
  event: JsonObject | null;

  @ApiProperty({ description: 'Whether the `event` is quarantined: `GET /quarantined-events` has it.' })
  quarantined: boolean;
}

/** Violations by what became of the events in which they were. */
export class ViolationOutcomesDto {
  @ApiProperty({ type: 'integer', example: 0, description: 'Observed only, or taken out of the event.' })
  accepted: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Also of events released or discarded since.' })
  quarantined: number;

  @ApiProperty({ type: 'integer', example: 12 })
  rejected: number;
}

/** How often events of a source differed from a plan in the same way. */
export class ViolationDto {
  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({
    example: 'track Order Completed',
    description:
      'Of more than 200 names of unplanned events of a source in an hour the others are one of each type: `track *`.',
  })
  rule: string;

  @ApiProperty({
    example: 'properties.products[].price',
    description:
      'Empty for the event as a whole. Of more than 200 places of a source in an hour the others are one: `properties.*`.',
  })
  path: string;

  @ApiProperty({ enum: ['schema_violation', 'unplanned_event', 'unplanned_property'] })
  code: string;

  @ApiProperty({ type: String, nullable: true, example: 'type', description: 'Of JSON Schema.' })
  keyword: string | null;

  @ApiProperty({ type: 'integer', example: 12 })
  count: number;

  @ApiProperty({
    type: ViolationOutcomesDto,
    description:
      'The `count` by what became of the events, for which another violation of the same event may be the reason. What ' +
      'older releases counted is in none of them.',
  })
  counts: ViolationOutcomesDto;

  @ApiProperty({ type: 'integer', description: 'The newest version of the plan in which it was one.' })
  version: number;

  @ApiProperty({ format: 'date-time', description: 'The minute of the first.' })
  firstAt: string;

  @ApiProperty({ format: 'date-time', description: 'The minute of the last.' })
  lastAt: string;

  @ApiProperty({
    type: [ViolationSampleDto],
    description:
      'The newest, three at most, without those that are gone: a released event has another id. Events that were rejected ' +
      'are not among them: `GET /rejected-events` has them.',
  })
  samples: ViolationSampleDto[];
}
