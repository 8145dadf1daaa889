import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scopes } from '../../platform/auth/scopes.decorator';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { SourceNotFoundError } from '../../sources/source-problems';
import { TrackingPlanNotFoundError } from '../tracking-plan-problems';
import { PlanTrials } from '../trying/plan-trials';
import { InferPlanDto, InferredPlanDto } from './dto/infer-plan.dto';
import { PlanPreviewDto, PreviewPlanDto } from './dto/preview-plan.dto';

@ApiTags('tracking plans')
@Controller('tracking-plans')
export class PlanTrialsController {
  constructor(private readonly trials: PlanTrials) {}

  @Post('preview')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({
    summary: 'Say what a plan would have done to the newest events of a source, without saving it',
  })
  @ApiOkResponse({ type: PlanPreviewDto })
  @ApiProblems(SourceNotFoundError, TrackingPlanNotFoundError)
  preview(@Body() given: PreviewPlanDto): Promise<PlanPreviewDto> {
    return this.trials.preview(given);
  }

  @Post('infer')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({ summary: 'Make a plan that the newest events of a source pass, without saving it' })
  @ApiOkResponse({ type: InferredPlanDto })
  @ApiProblems(SourceNotFoundError)
  infer(@Body() given: InferPlanDto): Promise<InferredPlanDto> {
    return this.trials.infer(given);
  }
}
