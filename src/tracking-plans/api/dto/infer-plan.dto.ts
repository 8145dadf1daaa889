import { ApiProperty, PickType } from '@nestjs/swagger';
import { LookBackDto, PreviewPlanDto } from './preview-plan.dto';
import { TrackingPlanDto } from './tracking-plan.dto';

/** From which events to learn a plan. */
export class InferPlanDto extends PickType(PreviewPlanDto, ['sourceId', 'last']) {}

class InferredContentDto extends PickType(TrackingPlanDto, [
  'rules',
  'unplannedEvents',
  'unplannedProperties',
]) {}

/** A plan that all events pass that were looked at. */
export class InferredPlanDto extends LookBackDto {
  @ApiProperty({ description: 'With a name it can be created.' })
  plan: InferredContentDto;
}
