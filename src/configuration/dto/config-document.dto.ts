import { applyDecorators, type Type as NestType } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  ValidateNested,
} from 'class-validator';
import { CreateDestinationDto } from '../../destinations/dto/create-destination.dto';
import { Optional } from '../../platform/http/input/optional';
import { IsText } from '../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../platform/openapi/example-ids';
import { CreateComputedTraitDto } from '../../segments/computed-traits/api/dto/create-computed-trait.dto';
import { CreateSegmentDto } from '../../segments/api/dto/create-segment.dto';
import { CreateSourceDto } from '../../sources/dto/create-source.dto';
import { CreateTransformationDto } from '../../transformations/api/dto/create-transformation.dto';
import { CreateTrackingPlanDto } from '../../tracking-plans/api/dto/create-tracking-plan.dto';

const MAX_ENTRIES = 10_000;

/** A list of the document. */
function Entries(type: () => NestType, description?: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: () => [type()], maxItems: MAX_ENTRIES, description }),
    Optional(),
    IsArray(),
    ArrayMaxSize(MAX_ENTRIES),
    IsObject({ each: true }),
    ValidateNested({ each: true }),
    Type(type),
  );
}

/** A source in a document: as it is created, but its tracking plan and its transformation are named by their names. */
export class ConfigSourceDto extends OmitType(CreateSourceDto, ['trackingPlanId', 'transformationId']) {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description:
      'Of the kind `webhook`: name of the transformation that makes events of its requests. None when left out or null.',
  })
  @IsOptional()
  @IsText(1, 200)
  transformation?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description: 'Name of the tracking plan that its events are checked by. None when left out or null.',
  })
  @IsOptional()
  @IsText(1, 200)
  trackingPlan?: string | null;
}

/**
 * A destination in a document: as it is created, but sources, segments and its transformation are named by their names.
 */
export class ConfigDestinationDto extends OmitType(CreateDestinationDto, ['sources', 'transformationId']) {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description:
      'Name of the transformation that changes events before `mapping` does. None when left out or null.',
  })
  @IsOptional()
  @IsText(1, 200)
  transformation?: string | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: [EXAMPLE_NAMES.source],
    description: 'Names of sources: only their events are delivered. All when left out or null.',
  })
  @IsOptional()
  @ArrayNotEmpty()
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsText(1, 200, { each: true })
  sources?: string[] | null;
}

/**
 * Tracking plans, transformations, sources, computed traits, segments and destinations as one document. A list that is
 * left out is left alone.
 */
export class ConfigDocumentDto {
  @ApiProperty({ enum: [1], description: 'Of the format.' })
  @IsIn([1])
  version: 1;

  @Entries(() => CreateTrackingPlanDto)
  trackingPlans?: CreateTrackingPlanDto[];

  @Entries(() => CreateTransformationDto)
  transformations?: CreateTransformationDto[];

  @Entries(() => ConfigSourceDto)
  sources?: ConfigSourceDto[];

  @Entries(() => CreateComputedTraitDto)
  computedTraits?: CreateComputedTraitDto[];

  @Entries(() => CreateSegmentDto)
  segments?: CreateSegmentDto[];

  @Entries(
    () => ConfigDestinationDto,
    'Secrets may be references such as `${env:ORDER_SERVICE_SECRET}`, which `cdp apply` resolves; one that is still there when it comes in leaves the secret as it is.',
  )
  destinations?: ConfigDestinationDto[];
}
