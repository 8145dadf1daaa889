import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { Optional } from '../../../platform/http/optional';

const MAX_MEMBERS_PER_PAGE = 10_000;

/** Which members to answer. Without a limit: all of them. */
export class MembersQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_MEMBERS_PER_PAGE,
    description: 'Without: all members.',
  })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_MEMBERS_PER_PAGE)
  limit?: number;

  @ApiPropertyOptional({ description: 'From the `Link: rel="next"` of the page before.' })
  @Optional()
  @IsString()
  @MaxLength(4_000)
  cursor?: string;
}
