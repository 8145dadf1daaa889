import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { NameQueryDto, NameTakenError } from '../../platform/http/resources/names';
import { cutPage, PageQueryDto } from '../../platform/http/resources/page';
import {
  ApiIfMatch,
  ChangedMeanwhileError,
  type ExpectedVersions,
  IfMatch,
  VersionMismatchError,
} from '../../platform/http/resources/version';
import { ApiIdempotencyKey } from '../../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import {
  TooManyTrackingPlansError,
  TrackingPlanInUseError,
  TrackingPlanNotFoundError,
  TrackingPlanVersionNotFoundError,
} from '../tracking-plan-problems';
import { CreateTrackingPlanDto } from './dto/create-tracking-plan.dto';
import {
  TrackingPlanDto,
  TrackingPlanSummaryDto,
  TrackingPlanVersionDto,
  TrackingPlanVersionSummaryDto,
} from './dto/tracking-plan.dto';
import { UpdateTrackingPlanDto } from './dto/update-tracking-plan.dto';
import { TrackingPlansService } from './tracking-plans.service';

@ApiTags('tracking plans')
@Controller('tracking-plans')
export class TrackingPlansController {
  constructor(private readonly plans: TrackingPlansService) {}

  @Get()
  @ApiOperation({ summary: 'List the tracking plans, without their rules' })
  @ApiOkResponse({ type: [TrackingPlanSummaryDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TrackingPlanSummaryDto[]> {
    const plans = cutPage(await this.plans.findAll(query), query, '/tracking-plans', reply);
    return plans.map((plan) => TrackingPlanSummaryDto.of(plan));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a tracking plan' })
  @ApiOkResponse({ type: TrackingPlanDto })
  @ApiProblems(TrackingPlanNotFoundError)
  async findOne(@Param('id') planId: string): Promise<TrackingPlanDto> {
    return TrackingPlanDto.from(await this.plans.findOne(planId));
  }

  @Get(':id/versions')
  @ApiOperation({ summary: 'List the versions of a tracking plan, newest first' })
  @ApiOkResponse({ type: [TrackingPlanVersionSummaryDto] })
  @ApiProblems(TrackingPlanNotFoundError)
  async findVersions(@Param('id') planId: string): Promise<TrackingPlanVersionSummaryDto[]> {
    return (await this.plans.findVersions(planId)).map((version) =>
      TrackingPlanVersionSummaryDto.of(version),
    );
  }

  @Get(':id/versions/:version')
  @ApiOperation({
    summary: 'Show a tracking plan as it was in a version',
    description:
      'To go back to it, send its `rules`, `unplannedEvents` and `unplannedProperties` to `PUT /tracking-plans/{id}`: that ' +
      'makes a new version.',
  })
  @ApiParam({ name: 'version', example: '1' })
  @ApiOkResponse({ type: TrackingPlanVersionDto })
  @ApiProblems(TrackingPlanNotFoundError, TrackingPlanVersionNotFoundError)
  async findVersion(
    @Param('id') planId: string,
    @Param('version') version: string,
  ): Promise<TrackingPlanVersionDto> {
    return TrackingPlanVersionDto.from(await this.plans.findVersion(planId, version));
  }

  @Post()
  @ApiOperation({ summary: 'Create a tracking plan; a source is checked by it that names it' })
  @ApiCreatedResponse({ type: TrackingPlanDto })
  @ApiProblems(TooManyTrackingPlansError, NameTakenError)
  @ApiIdempotencyKey()
  async create(
    @Body() plan: CreateTrackingPlanDto,
    @CurrentActor() actor: Actor,
    @Query() options: NameQueryDto,
  ): Promise<TrackingPlanDto> {
    return TrackingPlanDto.from(await this.plans.create(plan, actor, options));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a tracking plan; members left out stay as they are, `rules` replaces all rules',
  })
  @ApiOkResponse({ type: TrackingPlanDto })
  @ApiProblems(TrackingPlanNotFoundError, ChangedMeanwhileError, NameTakenError, VersionMismatchError)
  @ApiIfMatch()
  async update(
    @Param('id') planId: string,
    @Body() changes: UpdateTrackingPlanDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
    @Query() { allowDuplicate }: NameQueryDto,
  ): Promise<TrackingPlanDto> {
    return TrackingPlanDto.from(
      await this.plans.update(planId, changes, actor, { expected, allowDuplicate }),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a tracking plan that no source has' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(TrackingPlanInUseError, TrackingPlanNotFoundError, ChangedMeanwhileError, VersionMismatchError)
  @ApiIfMatch()
  delete(
    @Param('id') planId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.plans.delete(planId, actor, expected);
  }
}
