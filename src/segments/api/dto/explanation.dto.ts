import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonValue } from '../../../events/customer-event';
import { ANY_JSON } from '../../../platform/openapi/any-json';

/** An event that counts for a rule. */
export class CountedEventDto {
  @ApiProperty({ example: '0193c0de-0000-7000-8000-00000000000e', description: 'See `GET /events/{id}`.' })
  id: string;

  @ApiProperty({ type: String, format: 'date-time' })
  timestamp: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'What stands in it where `of` points to.' })
  value?: JsonValue;

  @ApiPropertyOptional({
    type: [String],
    example: ['sequence[0]'],
    description: 'Of a `sequence`: the steps of the rule that it may be, and `not`.',
  })
  steps?: readonly string[];
}

/** What one rule, or one group of rules, says about a person. */
export class RuleVerdictDto {
  @ApiProperty({ example: 'rules[0]', description: 'Where the rule stands in `rules`.' })
  path: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The rule; of a group its `match` and `not`.',
    example: { field: 'plan', operator: 'eq', value: 'pro' },
  })
  rule: object;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'The value that was seen; absent where there is none.' })
  seen?: JsonValue;

  @ApiPropertyOptional({
    type: [CountedEventDto],
    description:
      'With `event` or `sequence`: the stored events that count, or that a step looks for, the newest 10 of them, newest first. Of the first 20 such rules.',
  })
  events?: readonly CountedEventDto[];

  @ApiProperty()
  verdict: boolean;

  @ApiPropertyOptional({ type: () => [RuleVerdictDto], description: 'Of a group: its rules.' })
  rules?: RuleVerdictDto[];
}

/** Why a person is in a segment, or is not. */
export class ExplanationDto {
  @ApiProperty({ example: 'user-1' })
  userId: string;

  @ApiProperty({ description: 'Whether the user is among the members.' })
  member: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Since when.' })
  enteredAt: string | null;

  @ApiProperty({ description: 'What the rules say right now.' })
  verdict: boolean;

  @ApiProperty({ type: [RuleVerdictDto] })
  rules: RuleVerdictDto[];
}
