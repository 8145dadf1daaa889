import { ApiProperty, PickType } from '@nestjs/swagger';
import { OptionalInteger } from '../../../platform/http/input/optional-members';
import { ProblemDetailDto } from '../../../platform/openapi/problem.dto';
import { CreateSegmentDto } from './create-segment.dto';
import { WARNINGS } from './segment.dto';

const MAX_SAMPLE = 100;

/** Rules to try out. */
export class PreviewSegmentDto extends PickType(CreateSegmentDto, ['rules', 'match']) {
  @OptionalInteger(0, MAX_SAMPLE, { default: 10, description: 'User ids to answer.' })
  sample?: number;
}

/** Who would be in a segment with these rules right now. */
export class SegmentPreviewDto {
  @ApiProperty()
  count: number;

  @ApiProperty({ type: [String], description: 'The first user ids, in the order of the members.' })
  sample: string[];

  @ApiProperty(WARNINGS)
  warnings: ProblemDetailDto[];
}
