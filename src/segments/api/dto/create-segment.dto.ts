import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsBoolean } from 'class-validator';
import { Optional } from '../../../platform/http/input/optional';
import { OptionalOneOf, OptionalText } from '../../../platform/http/input/optional-members';
import { IsText } from '../../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../../platform/openapi/example-ids';
import { MATCHES, type Match } from '../../../language/operators';
import { RULES_SCHEMA } from './rules-schema';

/** What a client says about a new segment. */
export class CreateSegmentDto {
  @ApiProperty({ example: EXAMPLE_NAMES.segment, minLength: 1, maxLength: 200 })
  @IsText(1, 200)
  name: string;

  @OptionalText(0, 2000, { example: 'On the pro plan, with more than ten events.' })
  description?: string;

  /** Each entry is checked by `parseRules`. */
  @ApiProperty(RULES_SCHEMA)
  @IsArray()
  rules: unknown[];

  @OptionalOneOf(MATCHES, { default: 'all', description: 'Whether all or any of the rules must hold.' })
  match?: Match;

  @ApiPropertyOptional({
    default: false,
    description:
      'Whether those who are in it from the start count as having entered (`Segment Entered` events).',
  })
  @Optional()
  @IsBoolean()
  announceFirst?: boolean;
}
