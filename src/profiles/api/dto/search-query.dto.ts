import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { Optional } from '../../../platform/http/input/optional';
import { OptionalText } from '../../../platform/http/input/optional-members';
import { OpaqueCursor, PageLimit } from '../../../platform/http/resources/page';

export const DEFAULT_PROFILES = 100;
const MAX_PROFILES = 1_000;

/** Which profiles to list. */
export class SearchQueryDto {
  @OptionalText(0, 512, { description: 'User ids that begin with this text.' })
  prefix?: string;

  @OptionalText(1, 512, {
    description:
      'The person with this anonymous id, user or not. With the other parameters: if they hold, too.',
  })
  anonymousId?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['plan:pro'],
    description:
      'Profiles with this value of a trait, as `<trait>:<value>`. Given several times, all must hold. Where few have it, ' +
      'pages are short or empty and `Link` leads on, unless the trait is named in `CDP_INDEXED_TRAITS`.',
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsArray()
  @ArrayMaxSize(10)
  @Matches(/^[^:\0]+:[^\0]*$/s, { each: true, message: 'trait must look like <trait>:<value>' })
  trait?: string[];

  @PageLimit(MAX_PROFILES, { default: DEFAULT_PROFILES })
  limit?: number;

  @OpaqueCursor()
  cursor?: string;
}
