import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { RangeEnd, RangeStart } from '../../platform/http/instant';
import { Optional } from '../../platform/http/optional';
import { IsText } from '../../platform/http/text';
import { PersonQueryDto } from './person-query.dto';

export const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;

/** Which events of a profile to answer. */
export class ProfileQueryDto extends PersonQueryDto {
  @ApiPropertyOptional({ type: Number, minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_EVENTS)
  limit?: number;

  @ApiPropertyOptional({ type: String, description: '`nextCursor` of the page before.' })
  @Optional()
  @IsString()
  cursor?: string;

  @RangeStart('Events at or after this time.')
  from?: string;

  @RangeEnd('Events before this time.')
  to?: string;

  @ApiPropertyOptional({ enum: EVENT_TYPES })
  @Optional()
  @IsIn(EVENT_TYPES)
  type?: EventType;

  @ApiPropertyOptional({ type: String, description: 'Name of the event, as `event` in the answer.' })
  @Optional()
  @IsText(0, 1_024)
  event?: string;
}
