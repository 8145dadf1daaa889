import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ProblemDetailDto } from '../../../platform/openapi/problem.dto';
import { type RuleNode } from '../../rules/rule';
import { MATCHES, type Match } from '../../../language/operators';
import type { Segment, SegmentState } from '../../segment.entity';
import { RULES_SCHEMA } from './rules-schema';

/** What is known about the members of a segment. */
export interface MemberFigures {
  readonly memberCount: number;
  /** 0 to 1. */
  readonly progress: number;
}

/** A segment as the API returns it. */
export class SegmentDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ example: 'Regular customers' })
  name: string;

  @ApiProperty({ example: 'On the pro plan, with more than ten events.' })
  description: string;

  @ApiProperty({ enum: MATCHES })
  match: Match;

  @ApiProperty(RULES_SCHEMA)
  rules: RuleNode[];

  @ApiProperty({
    enum: ['computing', 'live', 'failed'],
    description:
      'While `computing`, the members are those of the definition before (none for a new segment).',
  })
  state: SegmentState;

  @ApiProperty({ minimum: 0, maximum: 1, description: 'How much of the computation is done, about.' })
  progress: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why the computation failed.' })
  failure: string | null;

  @ApiProperty({ type: 'integer', description: 'User ids that `/segments/:id/members` answers.' })
  memberCount: number;

  @ApiProperty({
    description: 'Whether those who were in it from the start counted as having entered.',
  })
  announceFirst: boolean;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Goes up with each change of the definition; also the `ETag`.',
  })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  static from(segment: Segment, { memberCount, progress }: MemberFigures): SegmentDto {
    const { id, name, description, match, rules, state, failure, announceFirst, version } = segment;
    return {
      id,
      name,
      description,
      match,
      rules,
      state,
      progress,
      failure,
      memberCount,
      announceFirst,
      version,
      createdAt: segment.createdAt.toISOString(),
      updatedAt: segment.updatedAt.toISOString(),
    };
  }
}

export const WARNINGS: ApiPropertyOptions = {
  type: [ProblemDetailDto],
  description:
    'What is valid and probably not meant so: a trait, a group trait or an event that nobody has (`unknown_field`, `unknown_event`), ' +
    'a path that none of the newest 200 events of the name has (`unknown_path`), or where these have values that the operator or ' +
    'aggregate does not look at (`unusable_values`), a range from before events are kept (`range_beyond_retention`), or a step with ' +
    'more time than the window has (`step_beyond_window`). Nothing is refused for it.',
  example: [
    {
      path: 'rules[0].field',
      code: 'unknown_field',
      message: 'No profile has `trait.plan`; did you mean `traits.plan`?',
    },
  ],
};

/** The answer to a change of a segment. */
export class ChangedSegmentDto extends SegmentDto {
  @ApiProperty(WARNINGS)
  warnings: ProblemDetailDto[];
}
