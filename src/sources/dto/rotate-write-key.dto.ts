import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Optional } from '../../platform/http/optional';

const DAY_SECONDS = 24 * 3600;

/** How a write key is replaced. */
export class RotateWriteKeyDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 30 * DAY_SECONDS,
    default: DAY_SECONDS,
    example: DAY_SECONDS,
    description: 'For how long the present key goes on working, in seconds. 0: it stops at once.',
  })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(30 * DAY_SECONDS)
  overlapSeconds?: number;
}

export const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;
