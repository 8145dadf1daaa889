import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Optional } from '../../platform/http/optional';
import { IsText } from '../../platform/http/text';

export const DEFAULT_PROFILES = 100;
const MAX_PROFILES = 1_000;

/** Which profiles to list. */
export class SearchQueryDto {
  @ApiPropertyOptional({ type: String, description: 'User ids that begin with this text.' })
  @Optional()
  @IsText(0, 512)
  prefix?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'The person with this anonymous id, user or not. With the other parameters: if they hold, too.',
  })
  @Optional()
  @IsText(1, 512)
  anonymousId?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['plan:pro'],
    description:
      'Profiles with this value of a trait, as `<trait>:<value>`. Given several times, all must hold.',
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsArray()
  @ArrayMaxSize(10)
  @Matches(/^[^:\0]+:[^\0]*$/s, { each: true, message: 'trait must look like <trait>:<value>' })
  trait?: string[];

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PROFILES, default: DEFAULT_PROFILES })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PROFILES)
  limit?: number;

  @ApiPropertyOptional({
    type: String,
    description: 'From the `Link: …; rel="next"` header of the page before.',
  })
  @Optional()
  @IsString()
  @MaxLength(4_096)
  cursor?: string;
}
