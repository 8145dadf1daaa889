import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { Optional } from '../../platform/http/optional';
import { IsText } from '../../platform/http/text';

const OUTCOMES = ['accepted', 'rejected'] as const;
const MAX_SECONDS = 3_600;

/** Which events to watch. All parts must hold. */
export class TailQueryDto {
  @ApiPropertyOptional({ enum: OUTCOMES, description: 'Both without it.' })
  @Optional()
  @IsIn(OUTCOMES)
  outcome?: (typeof OUTCOMES)[number];

  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsUUID()
  sourceId?: string;

  @ApiPropertyOptional({ enum: EVENT_TYPES })
  @Optional()
  @IsIn(EVENT_TYPES)
  type?: EventType;

  @ApiPropertyOptional({
    description:
      'Event name of a track, name of a page or screen, otherwise the type; `*` stands for any characters.',
  })
  @Optional()
  @IsText(1, 1_000)
  name?: string;

  @ApiPropertyOptional({ description: 'Events that bear this user id.' })
  @Optional()
  @IsText(1, 512)
  userId?: string;

  @ApiPropertyOptional({ description: 'Events that bear this anonymous id.' })
  @Optional()
  @IsText(1, 512)
  anonymousId?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Events of people who are in this segment when they come in.',
  })
  @Optional()
  @IsUUID()
  segmentId?: string;

  @ApiPropertyOptional({
    description:
      'A filter as destinations have it, as JSON: `types`, `events`, `match`, `conditions`, `segments`. See docs/routing.md.',
  })
  @Optional()
  @IsText(2, 8_000)
  filter?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SECONDS,
    description: 'Ends the stream after so many seconds. Without it, it ends with the token.',
  })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_SECONDS)
  seconds?: number;
}
