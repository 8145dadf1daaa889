import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentActor } from '../platform/auth/current-actor.decorator';
import type { Actor } from '../platform/auth/principal';
import { NameTakenError, NameQueryDto } from '../platform/http/resources/names';
import { cutPage, PageQueryDto } from '../platform/http/resources/page';
import {
  VersionMismatchError,
  ChangedMeanwhileError,
  ApiIfMatch,
  type ExpectedVersions,
  IfMatch,
} from '../platform/http/resources/version';
import { ApiIdempotencyKey } from '../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems } from '../platform/openapi/api-problem.decorator';
import { EXAMPLE_IDS, EXAMPLE_NAMES } from '../platform/openapi/example-ids';
import { CreateSourceDto } from './dto/create-source.dto';
import { HeardSourceDto } from './dto/heard-source.dto';
import { DEFAULT_KEY_OVERLAP_SECONDS, RotateWriteKeyDto } from './dto/rotate-write-key.dto';
import { SourceDto } from './dto/source.dto';
import { UpdateSourceDto } from './dto/update-source.dto';
import { SourceReader } from './source-reader';
import { SourcesService } from './sources.service';
import {
  PreviousKeyInUseError,
  SourceInUseError,
  SourceNotFoundError,
  TooManySourcesError,
} from './source-problems';

const CREATIONS = {
  'of an SDK': { value: { name: EXAMPLE_NAMES.source, description: 'Events of the shop front end.' } },
  'a webhook of GitHub': {
    value: {
      name: EXAMPLE_NAMES.webhook,
      kind: 'webhook',
      signature: { scheme: 'github', secrets: ['It is a secret to everybody'] },
    },
  },
};
const CHANGES = {
  'what it is for': { value: { description: 'Events of the shop front end.', silentAfterMinutes: 60 } },
  'the tracking plan of its events': { value: { trackingPlanId: EXAMPLE_IDS.trackingPlan } },
};

@ApiTags('sources')
@Controller('sources')
export class SourcesController {
  constructor(
    private readonly sources: SourcesService,
    private readonly reader: SourceReader,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the sources, each with its write key' })
  @ApiOkResponse({ type: [HeardSourceDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HeardSourceDto[]> {
    return cutPage(await this.reader.findAll(query), query, '/sources', reply);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a source' })
  @ApiOkResponse({ type: HeardSourceDto })
  @ApiProblems(SourceNotFoundError)
  findOne(@Param('id') sourceId: string): Promise<HeardSourceDto> {
    return this.reader.findOne(sourceId);
  }

  @Post()
  @ApiOperation({ summary: 'Create a source; its write key is made by the service' })
  @ApiBody({ type: CreateSourceDto, examples: CREATIONS })
  @ApiCreatedResponse({ type: SourceDto })
  @ApiProblems(NameTakenError, TooManySourcesError)
  @ApiIdempotencyKey()
  create(
    @Body() source: CreateSourceDto,
    @CurrentActor() actor: Actor,
    @Query() options: NameQueryDto,
  ): Promise<SourceDto> {
    return this.sources.create(source, actor, options);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a source; members left out stay as they are' })
  @ApiBody({ type: UpdateSourceDto, examples: CHANGES })
  @ApiOkResponse({ type: SourceDto })
  @ApiProblems(SourceNotFoundError, ChangedMeanwhileError, NameTakenError, VersionMismatchError)
  @ApiIfMatch()
  update(
    @Param('id') sourceId: string,
    @Body() changes: UpdateSourceDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
    @Query() { allowDuplicate }: NameQueryDto,
  ): Promise<SourceDto> {
    return this.sources.update(sourceId, changes, actor, { expected, allowDuplicate });
  }

  @Post(':id/rotate-write-key')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make a new write key; the present one goes on working for a while' })
  @ApiBody({ type: RotateWriteKeyDto, required: false })
  @ApiOkResponse({ type: SourceDto })
  @ApiIdempotencyKey()
  @ApiProblems(SourceNotFoundError, PreviousKeyInUseError, ChangedMeanwhileError)
  rotateWriteKey(
    @Param('id') sourceId: string,
    @Body() { overlapSeconds = DEFAULT_KEY_OVERLAP_SECONDS }: RotateWriteKeyDto,
    @CurrentActor() actor: Actor,
  ): Promise<SourceDto> {
    return this.sources.rotateWriteKey(sourceId, overlapSeconds, actor);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a source; its write key stops working, its events stay' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(SourceInUseError, SourceNotFoundError, ChangedMeanwhileError, VersionMismatchError)
  @ApiIfMatch()
  delete(
    @Param('id') sourceId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.sources.delete(sourceId, actor, expected);
  }
}
