import { ApiProperty } from '@nestjs/swagger';
import { OptionalText } from '../../../platform/http/input/optional-members';
import { IsText } from '../../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../../platform/openapi/example-ids';
import { MAX_CODE_BYTES } from '../../sandbox/sandbox-limits';

/** What a client says about a new transformation. */
export class CreateTransformationDto {
  @ApiProperty({ example: EXAMPLE_NAMES.transformation, minLength: 1, maxLength: 200 })
  @IsText(1, 200)
  name: string;

  @OptionalText(0, 2000, { example: 'As the order service wants them.' })
  description?: string;

  @ApiProperty({
    minLength: 1,
    maxLength: MAX_CODE_BYTES,
    description:
      'A JavaScript module that exports `transform(event, { profile, segments })`, which returns an event, a list of at most 20, or null for ' +
      'none. It has no clock, no randomness, no network, and remembers nothing. See docs/transformations.md.',
    example: 'export function transform(event) {\n  return { ...event, shop: "north" };\n}\n',
  })
  @IsText(1, MAX_CODE_BYTES)
  code: string;
}
