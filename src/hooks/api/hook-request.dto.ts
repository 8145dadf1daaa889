import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { timeOfId } from '../../events/partitions/partition-plan';
import { RangeEnd, RangeStart } from '../../platform/http/input/instant';
import { OptionalId, OptionalText } from '../../platform/http/input/optional-members';
import { ListQueryDto } from '../../platform/http/resources/page';
import type { FailedHookRequest } from '../requests/failed-hook-requests';

/** Which requests to list that have failed. */
export class HookRequestsQueryDto extends ListQueryDto {
  @OptionalId()
  sourceId?: string;

  @OptionalText(1, 100, { example: 'event_too_large', description: 'The first thing that is wrong.' })
  code?: string;

  @RangeStart('Received at this time or later.')
  from?: string;

  @RangeEnd('Received before this time.')
  to?: string;
}

/** Which requests to run again or discard: those that the list would show. All when empty. */
export class SettleHookRequestsDto extends OmitType(HookRequestsQueryDto, ['limit', 'cursor']) {}

export class HookProblemDto {
  @ApiProperty({
    example: 'event_too_large',
    description:
      '`no_transformation`, `processing_failed`, `source_deleted`, or what is wrong with an event.',
  })
  code: string;

  @ApiProperty({ example: '[0]', description: 'The member of the events that were made of it.' })
  path: string;

  @ApiProperty({ example: 'An event may have at most 32768 bytes of JSON.' })
  message: string;

  @ApiPropertyOptional({ description: 'Of the tracking plan that blocks it.' })
  rule?: string;
}

/** A request of a webhook that no events could be made of. */
export class HookRequestDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
    description: 'What the sender calls it: the same when it sends it again.',
  })
  sentId: string | null;

  @ApiProperty({ type: [HookProblemDto] })
  problems: HookProblemDto[];

  @ApiProperty({
    description: 'JSON of `headers`, `query` and `body`, with its numbers as they were sent.',
    example: '{"headers":{"x-github-event":"push"},"query":{},"body":{"ref":"refs/heads/main"}}',
  })
  request: string;

  static from({ id, sourceId, sentId, problems, request }: FailedHookRequest): HookRequestDto {
    return { id, sourceId, receivedAt: new Date(timeOfId(id)).toISOString(), sentId, problems, request };
  }
}

/** How many requests were run again or discarded. */
export class SettledHookRequestsDto {
  @ApiProperty({
    type: 'integer',
    example: 12,
    description: 'Those that are gone, or wait for their turn again: whether they succeed is not known yet.',
  })
  settled: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description:
      'Failed requests that are left: call it again. They are counted up to 10,000, as many as a call runs; then there may be more.',
  })
  remaining: number;
}
