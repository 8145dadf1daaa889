import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional } from '../../../platform/http/input/optional';
import { OptionalInteger } from '../../../platform/http/input/optional-members';
import { ProblemDetailDto } from '../../../platform/openapi/problem.dto';
import { CreateSegmentDto } from './create-segment.dto';
import { WARNINGS } from './segment.dto';

const MAX_SAMPLE = 100;

/** Rules to try out. */
export class PreviewSegmentDto extends PickType(CreateSegmentDto, ['rules', 'match']) {
  @OptionalInteger(0, MAX_SAMPLE, { default: 10, description: 'User ids to answer.' })
  sample?: number;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Count everybody, however long that takes: 20 s at most.',
  })
  @Optional()
  @IsBoolean()
  exact?: boolean;
}

/** Who would be in a segment with these rules right now. */
export class SegmentPreviewDto {
  @ApiProperty({ type: Number, description: 'Exact where it is not `estimated`.' })
  count: number;

  @ApiProperty({
    type: Boolean,
    description:
      'Whether only some people were looked at, because there are many. `exact` counts all of them.',
  })
  estimated: boolean;

  @ApiProperty({
    type: Number,
    description: 'With a likelihood of 95 % there are no fewer. The `count` where it is not `estimated`.',
  })
  low: number;

  @ApiProperty({ type: Number, description: 'With a likelihood of 95 % there are no more, as `low`.' })
  high: number;

  @ApiProperty({
    type: [String],
    description: 'The first user ids, in the order of the members; of an estimate some that were found.',
  })
  sample: string[];

  @ApiProperty(WARNINGS)
  warnings: ProblemDetailDto[];
}
