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
  TooManyTransformationsError,
  TransformationInUseError,
  TransformationNotFoundError,
  TransformationVersionNotFoundError,
} from '../transformation-problems';
import { CreateTransformationDto } from './dto/create-transformation.dto';
import {
  TransformationDto,
  TransformationSummaryDto,
  TransformationVersionDto,
  TransformationVersionSummaryDto,
} from './dto/transformation.dto';
import { UpdateTransformationDto } from './dto/update-transformation.dto';
import { TransformationsService } from './transformations.service';

@ApiTags('transformations')
@Controller('transformations')
export class TransformationsController {
  constructor(private readonly transformations: TransformationsService) {}

  @Get()
  @ApiOperation({ summary: 'List the transformations, without their code' })
  @ApiOkResponse({ type: [TransformationSummaryDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransformationSummaryDto[]> {
    const page = cutPage(await this.transformations.findAll(query), query, '/transformations', reply);
    return page.map((transformation) => TransformationSummaryDto.of(transformation));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a transformation' })
  @ApiOkResponse({ type: TransformationDto })
  @ApiProblems(TransformationNotFoundError)
  async findOne(@Param('id') transformationId: string): Promise<TransformationDto> {
    return TransformationDto.from(await this.transformations.findOne(transformationId));
  }

  @Get(':id/versions')
  @ApiOperation({ summary: 'List the versions of a transformation, newest first' })
  @ApiOkResponse({ type: [TransformationVersionSummaryDto] })
  @ApiProblems(TransformationNotFoundError)
  async findVersions(@Param('id') transformationId: string): Promise<TransformationVersionSummaryDto[]> {
    return (await this.transformations.findVersions(transformationId)).map((version) =>
      TransformationVersionSummaryDto.of(version),
    );
  }

  @Get(':id/versions/:version')
  @ApiOperation({
    summary: 'Show a transformation as it was in a version',
    description:
      'To go back to it, send its `code` to `PUT /transformations/{id}`: that makes a new version.',
  })
  @ApiParam({ name: 'version', example: '1' })
  @ApiOkResponse({ type: TransformationVersionDto })
  @ApiProblems(TransformationNotFoundError, TransformationVersionNotFoundError)
  async findVersion(
    @Param('id') transformationId: string,
    @Param('version') version: string,
  ): Promise<TransformationVersionDto> {
    return TransformationVersionDto.from(await this.transformations.findVersion(transformationId, version));
  }

  @Post()
  @ApiOperation({
    summary:
      'Create a transformation: it changes the events of destinations that name it, and makes events of the requests of webhooks that do',
  })
  @ApiCreatedResponse({ type: TransformationDto })
  @ApiProblems(TooManyTransformationsError, NameTakenError)
  @ApiIdempotencyKey()
  async create(
    @Body() transformation: CreateTransformationDto,
    @CurrentActor() actor: Actor,
    @Query() options: NameQueryDto,
  ): Promise<TransformationDto> {
    return TransformationDto.from(await this.transformations.create(transformation, actor, options));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a transformation; it holds from the next try on, and members left out stay as they are',
  })
  @ApiOkResponse({ type: TransformationDto })
  @ApiProblems(TransformationNotFoundError, ChangedMeanwhileError, NameTakenError, VersionMismatchError)
  @ApiIfMatch()
  async update(
    @Param('id') transformationId: string,
    @Body() changes: UpdateTransformationDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
    @Query() { allowDuplicate }: NameQueryDto,
  ): Promise<TransformationDto> {
    return TransformationDto.from(
      await this.transformations.update(transformationId, changes, actor, { expected, allowDuplicate }),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a transformation that no destination and no source has' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(
    TransformationInUseError,
    TransformationNotFoundError,
    ChangedMeanwhileError,
    VersionMismatchError,
  )
  @ApiIfMatch()
  delete(
    @Param('id') transformationId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.transformations.delete(transformationId, actor, expected);
  }
}
