import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';

export const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;

/** Which events of a profile to answer. */
export class ProfileQueryDto {
  @ApiPropertyOptional({ type: Number, minimum: 1, maximum: MAX_EVENTS, default: DEFAULT_EVENTS })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_EVENTS)
  limit?: number;

  @ApiPropertyOptional({ type: String, description: '`nextCursor` of the page before.' })
  @IsOptional()
  @IsString()
  cursor?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events at or after this time.' })
  @IsOptional()
  @IsISO8601({ strict: true })
  from?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events before this time.' })
  @IsOptional()
  @IsISO8601({ strict: true })
  to?: string;

  @ApiPropertyOptional({ enum: EVENT_TYPES })
  @IsOptional()
  @IsIn(EVENT_TYPES)
  type?: EventType;

  @ApiPropertyOptional({ type: String, description: 'Name of the event, as `event` in the answer.' })
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  event?: string;
}
