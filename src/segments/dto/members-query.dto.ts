import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export const MAX_MEMBERS_PER_PAGE = 10_000;

/** Which members to answer. Without a limit: all of them. */
export class MembersQueryDto {
  @ApiPropertyOptional({ minimum: 1, maximum: MAX_MEMBERS_PER_PAGE, description: 'Without: all members.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_MEMBERS_PER_PAGE)
  limit?: number;

  @ApiPropertyOptional({ description: 'From the `Link: rel="next"` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(4_000)
  cursor?: string;
}
