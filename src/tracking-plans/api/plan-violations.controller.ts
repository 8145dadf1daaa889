import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { TrackingPlanNotFoundError } from '../tracking-plan-problems';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import { ViolationDto, ViolationsQueryDto } from '../violations/dto/violation.dto';
import { PlanViolations } from '../violations/plan-violations';

const HOUR_MS = 3_600_000;

@ApiTags('tracking plans')
@Controller('tracking-plans/:id/violations')
export class PlanViolationsController {
  constructor(
    private readonly plans: TrackingPlanRepository,
    private readonly violations: PlanViolations,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Count in what events differed from a tracking plan, most first, each with some of the events',
    description:
      'They are there a second after the answer, and for 31 days; the first thousand kinds are shown.',
  })
  @ApiOkResponse({ type: [ViolationDto] })
  @ApiProblems(TrackingPlanNotFoundError)
  async find(
    @Param('id') planId: string,
    @Query() { sourceId, from, to }: ViolationsQueryDto,
  ): Promise<ViolationDto[]> {
    await this.plans.demand(planId);
    const nowMs = databaseNowMs();
    const since = from ?? new Date(nowMs - HOUR_MS).toISOString();
    // The present minute, too, whatever the clocks.
    const until = to ?? new Date(nowMs + HOUR_MS).toISOString();
    return this.violations.find({ planId, sourceId, from: since, to: until });
  }
}
