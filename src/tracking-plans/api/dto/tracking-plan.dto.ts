import { ApiProperty, OmitType } from '@nestjs/swagger';
import { type PlanRule, UNPLANNED_ACTIONS, type UnplannedAction } from '../../language/plan';
import type { VersionEntry } from '../../../platform/database/resources/versions';
import type { PlanVersion } from '../../plan-versions';
import type { TrackingPlan } from '../../tracking-plan.entity';
import { PLAN_RULES_SCHEMA } from './rules-schema';

/** A tracking plan as the API returns it. */
export class TrackingPlanDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ example: 'Shop' })
  name: string;

  @ApiProperty({ example: 'What the shop sends.' })
  description: string;

  @ApiProperty(PLAN_RULES_SCHEMA)
  rules: PlanRule[];

  @ApiProperty({ enum: UNPLANNED_ACTIONS })
  unplannedEvents: UnplannedAction;

  @ApiProperty({ enum: UNPLANNED_ACTIONS })
  unplannedProperties: UnplannedAction;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Goes up with each change; also the `ETag`. Events name the version that judged them.',
  })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  static from(plan: TrackingPlan): TrackingPlanDto {
    const { id, name, description, rules, unplannedEvents, unplannedProperties, version } = plan;
    return {
      id,
      name,
      description,
      rules,
      unplannedEvents,
      unplannedProperties,
      version,
      createdAt: plan.createdAt.toISOString(),
      updatedAt: plan.updatedAt.toISOString(),
    };
  }
}

/** A plan in a listing: its rules may be a megabyte. */
export class TrackingPlanSummaryDto extends OmitType(TrackingPlanDto, ['rules']) {
  @ApiProperty({ type: 'integer', example: 1 })
  ruleCount: number;

  static of(plan: TrackingPlan): TrackingPlanSummaryDto {
    const { rules, ...rest } = TrackingPlanDto.from(plan);
    return { ...rest, ruleCount: rules.length };
  }
}

/** That there was a version. */
export class TrackingPlanVersionSummaryDto {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  static of({ version, createdAt }: VersionEntry): TrackingPlanVersionSummaryDto {
    return { version, createdAt: createdAt.toISOString() };
  }
}

/** A plan as it was in a version. */
export class TrackingPlanVersionDto extends OmitType(TrackingPlanDto, ['id', 'updatedAt']) {
  static from({ version, createdAt, content }: PlanVersion): TrackingPlanVersionDto {
    const { name, description, rules, unplannedEvents, unplannedProperties } = content;
    return {
      name,
      description,
      rules: [...rules],
      unplannedEvents,
      unplannedProperties,
      version,
      createdAt: createdAt.toISOString(),
    };
  }
}
