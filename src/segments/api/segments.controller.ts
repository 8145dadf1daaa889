import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { NameTakenError, NameQueryDto } from '../../platform/http/resources/names';
import { cutPage, PageQueryDto } from '../../platform/http/resources/page';
import {
  VersionMismatchError,
  ApiIfMatch,
  type ExpectedVersions,
  IfMatch,
} from '../../platform/http/resources/version';
import { ApiIdempotencyKey } from '../../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { CreateSegmentDto } from './dto/create-segment.dto';
import { ChangedSegmentDto, SegmentDto } from './dto/segment.dto';
import { UpdateSegmentDto } from './dto/update-segment.dto';
import { RuleWarnings } from '../explaining/rule-warnings';
import { SegmentsService } from './segments.service';
import { DependencyDownError } from '../../platform/http/problems/problem';
import {
  SegmentInUseError,
  SegmentNotFoundError,
  SegmentsBusyError,
  TooManyMeasuresError,
  TooManySegmentsError,
} from '../segment-problems';

const DOWN = inCase(DependencyDownError, 'The database is away; `Retry-After` says how long to wait.');

@ApiTags('segments')
@Controller('segments')
export class SegmentsController {
  constructor(
    private readonly segments: SegmentsService,
    private readonly warnings: RuleWarnings,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the segments' })
  @ApiOkResponse({ type: [SegmentDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SegmentDto[]> {
    return cutPage(await this.segments.findAll(query), query, '/segments', reply);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a segment' })
  @ApiOkResponse({ type: SegmentDto })
  @ApiProblems(SegmentNotFoundError)
  findOne(@Param('id') segmentId: string): Promise<SegmentDto> {
    return this.segments.findOne(segmentId);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a segment; with many profiles its members are computed in the background',
  })
  @ApiCreatedResponse({ type: ChangedSegmentDto })
  @ApiProblems(TooManySegmentsError, TooManyMeasuresError, NameTakenError, SegmentsBusyError, DOWN)
  @ApiIdempotencyKey()
  async create(
    @Body() segment: CreateSegmentDto,
    @CurrentActor() actor: Actor,
    @Query() options: NameQueryDto,
  ): Promise<ChangedSegmentDto> {
    return this.withWarnings(await this.segments.create(segment, actor, options));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a segment; members left out stay as they are, `rules` replaces all rules',
  })
  @ApiOkResponse({ type: ChangedSegmentDto })
  @ApiProblems(
    SegmentNotFoundError,
    TooManyMeasuresError,
    NameTakenError,
    VersionMismatchError,
    SegmentsBusyError,
    DOWN,
  )
  @ApiIfMatch()
  async update(
    @Param('id') segmentId: string,
    @Body() changes: UpdateSegmentDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
    @Query() { allowDuplicate }: NameQueryDto,
  ): Promise<ChangedSegmentDto> {
    return this.withWarnings(
      await this.segments.update(segmentId, changes, actor, { expected, allowDuplicate }),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a segment that no other segment and no filter of a destination asks about',
  })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(SegmentInUseError, SegmentNotFoundError, VersionMismatchError, SegmentsBusyError, DOWN)
  @ApiIfMatch()
  delete(
    @Param('id') segmentId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.segments.delete(segmentId, actor, expected);
  }

  private async withWarnings(segment: SegmentDto): Promise<ChangedSegmentDto> {
    return Object.assign(segment, { warnings: await this.warnings.of(segment.rules, segment.match) });
  }
}
