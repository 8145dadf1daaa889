import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { KeptRejection } from '../../events/rejected/find-rejected-events';
import { timeOfId } from '../../events/partitions/partition-plan';
import { UnstoredEventsQueryDto } from '../../events/unstored/unstored-events-query.dto';
import { RangeEnd, RangeStart } from '../../platform/http/input/instant';
import { OptionalId, OptionalText } from '../../platform/http/input/optional-members';

/** Which rejected events to list. */
export class RejectedEventsQueryDto extends UnstoredEventsQueryDto {
  @OptionalText(1, 1_024, { description: 'As it was sent.' })
  type?: string;
}

/** What to count. */
export class RejectedCountsQueryDto {
  @OptionalId()
  sourceId?: string;

  @RangeStart('From this hour on; default: a day ago.')
  from?: string;

  @RangeEnd('Hours that begin before this time; default: now.')
  to?: string;
}

export class RejectionProblemDto {
  @ApiProperty({ example: 'missing_event_name' })
  code: string;

  @ApiProperty({ example: 'event', description: 'The member; empty for the event as a whole.' })
  path: string;

  @ApiPropertyOptional({
    example: 'A track event needs its name in `event`.',
    description: 'As the answer said it; left out where an older release wrote it down.',
  })
  message?: string;

  @ApiPropertyOptional({
    example: 'type',
    description: 'Of JSON Schema, where that of a tracking plan speaks.',
  })
  keyword?: string;

  @ApiPropertyOptional({
    example: 'track Order Completed',
    description: 'Of the tracking plan that blocks it.',
  })
  rule?: string;
}

/** An event that was not accepted, as far as it can be made out. */
export class RejectedEventDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ type: [RejectionProblemDto] })
  problems: RejectionProblemDto[];

  @ApiProperty({ type: String, nullable: true })
  messageId: string | null;

  @ApiProperty({ type: String, nullable: true })
  type: string | null;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'analytics.js', description: 'The SDK.' })
  library: string | null;

  @ApiProperty({ type: String, nullable: true, example: '2.11.1' })
  libraryVersion: string | null;

  @ApiProperty({
    description:
      'The JSON that was sent, cut at 32 KB. Of a failed request of a webhook: `hookRequestId`, by ' +
      'which `GET /hook-requests` has it for as long as it waits.',
  })
  payload: string;

  static from({ codes, paths, problems, ...rest }: KeptRejection): RejectedEventDto {
    return {
      id: rest.id,
      sourceId: rest.sourceId,
      receivedAt: new Date(timeOfId(rest.id)).toISOString(),
      problems: problems ?? codes.map((code, index) => ({ code, path: paths[index] ?? '' })),
      messageId: rest.messageId,
      type: rest.type,
      name: rest.name,
      library: rest.library,
      libraryVersion: rest.libraryVersion,
      payload: rest.payload,
    };
  }
}

/** How many events were rejected for the same first problem. */
export class RejectedCountDto {
  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ example: 'missing_event_name' })
  code: string;

  @ApiProperty({
    example: 'event',
    description: 'Of more than 200 places of a source in an hour the others are one: `properties.*`.',
  })
  path: string;

  @ApiProperty({ type: 'integer' })
  count: number;
}
