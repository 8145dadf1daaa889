import { ApiProperty } from '@nestjs/swagger';
import { IsArray } from 'class-validator';
import { OptionalOneOf, OptionalText } from '../../../platform/http/input/optional-members';
import { IsText } from '../../../platform/http/input/text';
import { EXAMPLE_NAMES } from '../../../platform/openapi/example-ids';
import { UNPLANNED_ACTIONS, type UnplannedAction } from '../../language/plan';
import { PLAN_RULES_SCHEMA } from './rules-schema';

/** What a client says about a new tracking plan. */
export class CreateTrackingPlanDto {
  @ApiProperty({ example: EXAMPLE_NAMES.trackingPlan, minLength: 1, maxLength: 200 })
  @IsText(1, 200)
  name: string;

  @OptionalText(0, 2000, { example: 'What the shop sends.' })
  description?: string;

  /** Each entry is checked by `parsePlan`. */
  @ApiProperty(PLAN_RULES_SCHEMA)
  @IsArray()
  rules: unknown[];

  @OptionalOneOf(UNPLANNED_ACTIONS, {
    default: 'allow',
    description:
      'What becomes of track events for which there is no rule, and of those of other types of which the plan has a rule. ' +
      'Under `omit` they lose all their properties.',
  })
  unplannedEvents?: UnplannedAction;

  @OptionalOneOf(UNPLANNED_ACTIONS, {
    default: 'allow',
    description:
      'What becomes of properties and traits, at any depth, that the schema of the rule does not name beside others that it names.',
  })
  unplannedProperties?: UnplannedAction;
}
