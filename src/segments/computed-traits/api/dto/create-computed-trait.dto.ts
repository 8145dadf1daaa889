import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsIn, Matches } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../../../events/customer-event';
import { MAX_STRING_LENGTH } from '../../../../language/limits';
import { Optional } from '../../../../platform/http/input/optional';
import { OptionalOneOf, OptionalText } from '../../../../platform/http/input/optional-members';
import { IsText } from '../../../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../../../platform/openapi/example-ids';
import { WHERE_SCHEMA } from '../../../api/dto/rules-schema';
import { MAX_FIELD_LENGTH, MAX_WHERE } from '../../../rules/parsing/limits';
import { type Aggregate, AGGREGATES } from '../../../rules/measure';
import type { MeasureDefinition } from '../../../rules/named-measures';

/** What a client says about a new computed trait. */
export class CreateComputedTraitDto implements MeasureDefinition {
  @ApiProperty({
    example: EXAMPLE_NAMES.computedTrait,
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$',
    description:
      'Rules of segments and filters of destinations call it `computed.<name>`. No two have the same.',
  })
  @Matches(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, {
    message: '$property must be a letter and up to 99 letters, digits and underscores',
  })
  name: string;

  @OptionalText(0, 2000, { example: 'What somebody paid in three months.' })
  description?: string;

  @ApiProperty({
    example: 'Order Completed',
    minLength: 1,
    maxLength: MAX_STRING_LENGTH,
    description: 'The name of the events: of a track, page or screen its name, of others its type.',
  })
  @IsText(1, MAX_STRING_LENGTH)
  event: string;

  @OptionalOneOf(EVENT_TYPES, { description: 'Only events of this type.' })
  type?: EventType;

  /** Each entry is checked by `parseDefinition`. */
  @ApiPropertyOptional({
    type: 'array',
    minItems: 1,
    maxItems: MAX_WHERE,
    items: WHERE_SCHEMA,
    example: [{ field: 'properties.currency', operator: 'eq', value: 'EUR' }],
    description: 'Only events for which all of these hold, conditions as filters of destinations have them.',
  })
  @Optional()
  @IsArray()
  where?: MeasureDefinition['where'];

  @ApiProperty({
    enum: [...AGGREGATES],
    example: 'sum',
    description:
      'How many these events are, how many different values they have at `of`, what the numbers there come to, or the value there of the first or last event that has one, or of most events.',
  })
  @IsIn(AGGREGATES)
  aggregate: Aggregate;

  @OptionalText(1, MAX_FIELD_LENGTH, {
    example: 'properties.total',
    description: 'With every `aggregate` but `count`: a dotted path into the event.',
  })
  of?: string;

  @OptionalText(1, 40, {
    example: '90d',
    description:
      'The last days, or the last hours (`36h`): less than events are kept. The value falls when events leave the window. It is required unless there is `from` or `to`.',
  })
  within?: string;

  @OptionalText(1, 40, {
    description:
      'In the place of `within`: events of this time or later, an ISO 8601 date or time, as `2026-11-01`.',
  })
  from?: string;

  @OptionalText(1, 40, {
    description: 'In the place of `within`: events before this time, as `2026-12-01T00:00:00Z`.',
  })
  to?: string;
}
