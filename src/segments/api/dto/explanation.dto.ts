import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonValue } from '../../../events/customer-event';
import { ANY_JSON } from '../../../platform/openapi/any-json';
import { STOP_REASONS, type StopReason } from '../../rules/sequence-progress';

/** An event that is stored. */
export class StoredEventDto {
  @ApiProperty({ example: '0193c0de-0000-7000-8000-00000000000e', description: 'See `GET /events/{id}`.' })
  id: string;

  @ApiProperty({ type: String, format: 'date-time' })
  timestamp: string;
}

/** An event that counts for a rule. */
export class CountedEventDto extends StoredEventDto {
  @ApiPropertyOptional({ ...ANY_JSON, description: 'What stands in it where `of` points to.' })
  value?: JsonValue;

  @ApiPropertyOptional({
    type: [String],
    example: ['sequence[0]'],
    description: 'Of a `sequence`: the steps of the rule that it may be, and `not`.',
  })
  steps?: readonly string[];
}

/** The event of one step of a sequence. */
export class ReachedStepDto extends StoredEventDto {
  @ApiProperty({ example: 'sequence[0]', description: 'The step of the rule.' })
  step: string;
}

/** Why a person came no further along a sequence. */
export class SequenceStopDto {
  @ApiProperty({
    enum: STOP_REASONS,
    description:
      '`waiting`: the step may still come, or what must not come (`not`) still has time to. `never_came`: the step did not come. `too_late`: it came after its time. `followed`: what must not come came in its time. `window_ends_first`: the first event leaves the window before the time of `not` is over. `before_window`, `after_window`: no first step is in the window, and the events are of a sequence that began before or after it.',
  })
  reason: StopReason;

  @ApiProperty({ example: 'sequence[1]', description: 'The step of the rule that decides, or `not`.' })
  step: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Until when the step can or could come; with `not`, until when nothing must come. With `window_ends_first` when the first event leaves the window, with `before_window` and `after_window` when the window begins or ends. Left out where there is no first step at all.',
  })
  limit?: string;

  @ApiPropertyOptional({
    example: 'sequence[1].within',
    description:
      'The member of the rule that sets `limit`: `within` of a step or of `not`, `allWithin`, or `within`, `from` or `to` of the rule. Left out where it is how long events are kept.',
  })
  limitedBy?: string;

  @ApiPropertyOptional({ type: StoredEventDto, description: 'What was `too_late`, or `followed`.' })
  event?: StoredEventDto;
}

/** How far a person came along a sequence. */
export class SequenceProgressDto {
  @ApiProperty({
    type: [ReachedStepDto],
    description:
      'An event of each step that was reached, in order: all of them where the rule holds, otherwise as many as possible; of several ways the newest.',
  })
  events: readonly ReachedStepDto[];

  @ApiPropertyOptional({ type: SequenceStopDto, description: 'Why no further; absent where the rule holds.' })
  stop?: SequenceStopDto;
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

  @ApiPropertyOptional({
    type: SequenceProgressDto,
    description: 'Of a `sequence`: how far the person came.',
  })
  progress?: SequenceProgressDto;

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
