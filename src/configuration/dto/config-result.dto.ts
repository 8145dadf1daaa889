import { ApiProperty } from '@nestjs/swagger';
import type { JsonValue } from '../../events/customer-event';
import { ANY_JSON } from '../../platform/openapi/any-json';
import { ProblemDetailDto } from '../../platform/openapi/problem.dto';

export const CHANGE_ACTIONS = ['create', 'update', 'delete'] as const;
/** A kind is named by what comes before it in this order. */
export const RESOURCE_KINDS = [
  'trackingPlan',
  'transformation',
  'source',
  'computedTrait',
  'segment',
  'destination',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** One member that changes. */
export class FieldChangeDto {
  @ApiProperty({ example: 'config.url' })
  path: string;

  @ApiProperty({ ...ANY_JSON, description: 'Absent members are null; secrets are masked.' })
  before: JsonValue;

  @ApiProperty(ANY_JSON)
  after: JsonValue;
}

/** One resource that is created, updated or deleted. */
export class ResourceChangeDto {
  @ApiProperty({ enum: CHANGE_ACTIONS })
  action: (typeof CHANGE_ACTIONS)[number];

  @ApiProperty({ enum: RESOURCE_KINDS })
  kind: ResourceKind;

  @ApiProperty({ example: 'Order service' })
  name: string;

  @ApiProperty({ type: [FieldChangeDto], description: 'Of an update.' })
  fields: FieldChangeDto[];

  @ApiProperty({
    type: [ProblemDetailDto],
    description:
      'What of a segment or computed trait that is created or updated is valid and probably not meant so, as the answer ' +
      'to that change alone has it.',
    example: [],
  })
  warnings: ProblemDetailDto[];

  @ApiProperty({ description: 'Whether it was carried out.' })
  applied: boolean;
}

/** What applying a document changes, in the order in which it is done. */
export class ConfigResultDto {
  @ApiProperty({ type: [ResourceChangeDto] })
  changes: ResourceChangeDto[];
}
