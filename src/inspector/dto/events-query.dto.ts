import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { RangeEnd, RangeStart } from '../../platform/http/instant';
import { Optional } from '../../platform/http/optional';
import { PageQueryDto } from '../../platform/http/page';
import { IsText } from '../../platform/http/text';

/** Which events to list. */
export class EventsQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsUUID()
  sourceId?: string;

  @ApiPropertyOptional({ enum: EVENT_TYPES })
  @Optional()
  @IsIn(EVENT_TYPES)
  type?: EventType;

  @ApiPropertyOptional({ description: 'Event name of a track, name of a page or screen.' })
  @Optional()
  @IsText(1, 1_024)
  name?: string;

  @ApiPropertyOptional({ description: 'Events that bear this user id.' })
  @Optional()
  @IsText(1, 512)
  userId?: string;

  @ApiPropertyOptional({
    description: 'Events that bear this anonymous id, of the visitor or of the user that it belongs to.',
  })
  @Optional()
  @IsText(1, 512)
  anonymousId?: string;

  @ApiPropertyOptional({
    description:
      'The event that was the first with this message id, within the window of deduplication (`CDP_DEDUP_WINDOW_DAYS`).',
  })
  @Optional()
  @IsText(1, 1_024)
  messageId?: string;

  @RangeStart('Received at this time or later.')
  from?: string;

  @RangeEnd('Received before this time.')
  to?: string;
}
