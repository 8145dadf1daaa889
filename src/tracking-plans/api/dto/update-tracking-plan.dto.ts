import { PartialType } from '@nestjs/swagger';
import { CreateTrackingPlanDto } from './create-tracking-plan.dto';

/** Members that are left out stay as they are; `rules` replaces all rules. */
export class UpdateTrackingPlanDto extends PartialType(CreateTrackingPlanDto, {
  skipNullProperties: false,
}) {}
