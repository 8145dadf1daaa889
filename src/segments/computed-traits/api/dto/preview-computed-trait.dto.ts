import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import type { JsonValue } from '../../../../events/customer-event';
import { ANY_JSON } from '../../../../platform/openapi/any-json';
import { ProblemDetailDto } from '../../../../platform/openapi/problem.dto';
import { PreviewCountDto, PreviewSizeDto } from '../../../explaining/preview.dto';
import { TRAIT_WARNINGS } from './computed-trait.dto';
import { CreateComputedTraitDto } from './create-computed-trait.dto';

/** What is counted, to be tried out. */
export class PreviewComputedTraitDto extends IntersectionType(
  OmitType(CreateComputedTraitDto, ['name', 'description']),
  PreviewSizeDto,
) {}

/** A person, and what the computed trait would be. */
export class PreviewedValueDto {
  @ApiProperty({ example: 'user-1' })
  userId: string;

  @ApiProperty({ ...ANY_JSON, example: 129.9 })
  value: JsonValue;
}

/**
 * Who would have a value right now: people with a user id whose value is another one than that of no events at all,
 * which is none, or 0 of `count`, `unique` and `sum`.
 */
export class ComputedTraitPreviewDto extends PreviewCountDto {
  @ApiProperty({
    type: [PreviewedValueDto],
    description: 'The first of them by user id, with their values; of an estimate some that were found.',
  })
  sample: PreviewedValueDto[];

  @ApiProperty(TRAIT_WARNINGS)
  warnings: ProblemDetailDto[];
}
