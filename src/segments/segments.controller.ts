import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentActor } from '../platform/auth/current-actor.decorator';
import type { Actor } from '../platform/auth/principal';
import { ApiIdempotencyKey } from '../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems } from '../platform/openapi/api-problem.decorator';
import { CreateSegmentDto } from './dto/create-segment.dto';
import { SegmentDto } from './dto/segment.dto';
import { UpdateSegmentDto } from './dto/update-segment.dto';
import { SegmentsService } from './segments.service';

const NOT_FOUND = [404, 'segment_not_found', 'There is no segment with this id.'] as const;

@ApiTags('segments')
@ApiBearerAuth('bearer')
@Controller('segments')
export class SegmentsController {
  constructor(private readonly segments: SegmentsService) {}

  @Get()
  @ApiOperation({ summary: 'List the segments' })
  @ApiOkResponse({ type: [SegmentDto] })
  findAll(): Promise<SegmentDto[]> {
    return this.segments.findAll();
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a segment' })
  @ApiOkResponse({ type: SegmentDto })
  @ApiProblems(NOT_FOUND)
  findOne(@Param('id') segmentId: string): Promise<SegmentDto> {
    return this.segments.findOne(segmentId);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a segment; with many profiles its members are computed in the background',
  })
  @ApiCreatedResponse({ type: SegmentDto })
  @ApiProblems([409, 'too_many_segments', 'There are as many segments as there may be.'])
  @ApiIdempotencyKey()
  create(@Body() segment: CreateSegmentDto, @CurrentActor() actor: Actor): Promise<SegmentDto> {
    return this.segments.create(segment, actor);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a segment; members left out stay as they are, `rules` replaces all rules',
  })
  @ApiOkResponse({ type: SegmentDto })
  @ApiProblems(NOT_FOUND)
  update(
    @Param('id') segmentId: string,
    @Body() changes: UpdateSegmentDto,
    @CurrentActor() actor: Actor,
  ): Promise<SegmentDto> {
    return this.segments.update(segmentId, changes, actor);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a segment' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(NOT_FOUND)
  delete(@Param('id') segmentId: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.segments.delete(segmentId, actor);
  }
}
