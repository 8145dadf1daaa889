import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { IsId } from '../../../platform/http/input/ids';
import { OptionalId, OptionalInteger } from '../../../platform/http/input/optional-members';
import { Optional } from '../../../platform/http/input/optional';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids';
import { ACTIONS, type Action, UNPLANNED_ACTIONS, type ViolationCode } from '../../language/plan';
import type { GivenPlan } from '../../language/parse-plan';
import { PLAN_RULES_SCHEMA } from './rules-schema';

const MAX_LAST = 50_000;
const CODES: readonly ViolationCode[] = ['schema_violation', 'unplanned_event', 'unplanned_property'];

/** A plan to try out on what is stored of a source. */
export class PreviewPlanDto {
  /** Checked by `parsePlan`. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'A plan as it would be created. Either this or `planId`.',
    properties: {
      rules: PLAN_RULES_SCHEMA,
      unplannedEvents: { type: 'string', enum: [...UNPLANNED_ACTIONS] },
      unplannedProperties: { type: 'string', enum: [...UNPLANNED_ACTIONS] },
    },
    example: { rules: PLAN_RULES_SCHEMA.example, unplannedProperties: 'observe' },
  })
  @Optional()
  @IsObject()
  plan?: GivenPlan;

  @OptionalId('A plan that is there.')
  planId?: string;

  @ApiProperty({ format: 'uuid', example: EXAMPLE_IDS.source })
  @IsId()
  sourceId: string;

  @OptionalInteger(1, MAX_LAST, { default: 10_000, description: 'How many of its newest events.' })
  last?: number;
}

class ActionCountsDto {
  @ApiProperty({ type: 'integer', example: 0 })
  observe: number;

  @ApiProperty({ type: 'integer', example: 0 })
  omit: number;

  @ApiProperty({ type: 'integer', example: 0 })
  quarantine: number;

  @ApiProperty({ type: 'integer', example: 20 })
  block: number;
}

class OutcomesDto extends ActionCountsDto {
  @ApiProperty({ type: 'integer', example: 9_880 })
  pass: number;
}

class ViolationExampleDto {
  @ApiProperty({ format: 'uuid', description: 'See `GET /events/{id}`.' })
  eventId: string;

  @ApiProperty()
  messageId: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ enum: ACTIONS, description: 'What would become of the event.' })
  outcome: Action;

  @ApiProperty({ example: 'properties.products[3].price' })
  path: string;
}

class ViolationKindDto {
  @ApiProperty({ example: 'track Order Completed' })
  rule: string;

  @ApiProperty({ example: 'properties.products[].price', description: 'Empty for the event as a whole.' })
  path: string;

  @ApiProperty({ enum: CODES })
  code: ViolationCode;

  @ApiPropertyOptional({ example: 'type', description: 'Of JSON Schema.' })
  keyword?: string;

  @ApiProperty({ example: 'It must be number.' })
  message: string;

  @ApiProperty({ type: 'integer', example: 20 })
  events: number;

  @ApiProperty({ description: 'The same by what would have become of them.' })
  outcomes: ActionCountsDto;

  @ApiProperty({ type: [ViolationExampleDto], description: 'The newest, at most three.' })
  examples: ViolationExampleDto[];
}

/** What looking back has seen. */
export class LookBackDto {
  @ApiProperty({ type: 'integer', example: 10_000, description: 'How many events were looked at.' })
  events: number;

  @ApiProperty({ description: 'False when there was no time to look at as many as were asked for.' })
  complete: boolean;
}

/** What would have become of the newest events of a source. */
export class PlanPreviewDto extends LookBackDto {
  @ApiProperty({ description: 'Events by what would have become of them.' })
  outcomes: OutcomesDto;

  @ApiProperty({ type: [ViolationKindDto], description: 'By rule and path, those of most events first.' })
  violations: ViolationKindDto[];
}
