import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scopes } from '../../platform/auth/scopes.decorator';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { ProblemDetailDto } from '../../platform/openapi/problem.dto';
import { ExplanationDto } from './dto/explanation.dto';
import { PreviewSegmentDto, SegmentPreviewDto } from './dto/preview-segment.dto';
import { RuleWarnings } from '../explaining/rule-warnings';
import { SegmentExplanation } from '../explaining/segment-explanation';
import { SegmentPreview } from '../explaining/segment-preview';
import { SegmentRepository } from '../segment.repository';
import { ProfileNotFoundError } from '../../profiles/profile-problems';
import { SegmentNotFoundError } from '../segment-problems';

@ApiTags('segments')
@Controller('segments')
export class SegmentInsightController {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly previews: SegmentPreview,
    private readonly explanations: SegmentExplanation,
    private readonly rules: RuleWarnings,
  ) {}

  @Post('preview')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({ summary: 'Count who would be in a segment, without saving it' })
  @ApiOkResponse({ type: SegmentPreviewDto })
  preview(@Body() rules: PreviewSegmentDto): Promise<SegmentPreviewDto> {
    return this.previews.preview(rules);
  }

  @Get(':id/warnings')
  @ApiOperation({
    summary: 'Say what of the rules of a segment is valid and probably not meant so, as of now',
    description: 'The answers to a creation, a change and a preview have them, too.',
  })
  @ApiOkResponse({ type: [ProblemDetailDto] })
  @ApiProblems(SegmentNotFoundError)
  async warnings(@Param('id') segmentId: string): Promise<ProblemDetailDto[]> {
    const { rules, match } = await this.segments.get(segmentId);
    return this.rules.of(rules, match);
  }

  @Get(':id/explain/:userId')
  @ApiOperation({ summary: 'Say why a user is in a segment or not: per rule the value seen and the verdict' })
  @ApiOkResponse({ type: ExplanationDto })
  @ApiProblems(SegmentNotFoundError, ProfileNotFoundError)
  async explain(@Param('id') segmentId: string, @Param('userId') userId: string): Promise<ExplanationDto> {
    await this.segments.demand(segmentId);
    return this.explanations.explain(segmentId, userId);
  }
}
