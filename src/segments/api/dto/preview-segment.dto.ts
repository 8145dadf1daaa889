import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { ProblemDetailDto } from '../../../platform/openapi/problem.dto';
import { PreviewCountDto, PreviewSizeDto } from '../../explaining/preview.dto';
import { CreateSegmentDto } from './create-segment.dto';
import { WARNINGS } from './segment.dto';

/** Rules to try out. */
export class PreviewSegmentDto extends IntersectionType(
  PickType(CreateSegmentDto, ['rules', 'match']),
  PreviewSizeDto,
) {}

/** Who would be in a segment with these rules right now. */
export class SegmentPreviewDto extends PreviewCountDto {
  @ApiProperty({
    type: [String],
    description: 'The first user ids, in the order of the members; of an estimate some that were found.',
  })
  sample: string[];

  @ApiProperty(WARNINGS)
  warnings: ProblemDetailDto[];
}
