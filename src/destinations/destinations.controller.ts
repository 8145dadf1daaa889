import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiExtraModels,
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
import { ApiProblems, inCase } from '../platform/openapi/api-problem.decorator';
import { DestinationsService } from './destinations.service';
import { CreateDestinationDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import { NOTICE_CALLBACKS, ServiceNoticeDto } from './dto/service-notice.dto';
import { UpdateDestinationDto } from './dto/update-destination.dto';
import {
  DestinationNotFoundError,
  DestinationTypeFixedError,
  UnknownConnectorError,
  TooManyDestinationsError,
} from './destination-problems';
import { InvalidRequestError } from '../platform/http/problems/problem';

const INVALID = inCase(InvalidRequestError, 'The request, or the config of the connector, is not valid.');

@ApiTags('destinations')
@Controller('destinations')
export class DestinationsController {
  constructor(private readonly destinations: DestinationsService) {}

  @Get()
  @ApiOperation({ summary: 'List the destinations, secrets masked' })
  @ApiOkResponse({ type: [DestinationDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DestinationDto[]> {
    return cutPage(await this.destinations.findAll(query), query, '/destinations', reply);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a destination, secrets masked' })
  @ApiOkResponse({ type: DestinationDto })
  @ApiProblems(DestinationNotFoundError)
  findOne(@Param('id') destinationId: string): Promise<DestinationDto> {
    return this.destinations.findOne(destinationId);
  }

  @Post()
  @ApiExtraModels(ServiceNoticeDto)
  @ApiOperation({
    callbacks: NOTICE_CALLBACKS,
    summary: 'Create a destination; the answer has its signing secret in full, later ones do not',
  })
  @ApiCreatedResponse({ type: DestinationDto })
  @ApiProblems(INVALID, UnknownConnectorError, TooManyDestinationsError, NameTakenError)
  @ApiIdempotencyKey()
  create(
    @Body() destination: CreateDestinationDto,
    @CurrentActor() actor: Actor,
    @Query() options: NameQueryDto,
  ): Promise<DestinationDto> {
    return this.destinations.create(destination, actor, options);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a destination; members left out stay as they are',
    description:
      'A `config` is whole: it replaces the old one, so give all its members. Only a secret that is left out, or sent as its ' +
      'mask, is kept; null takes one away, and a header that is left out is gone. When the URL of a webhook leads to ' +
      'another origin, headers and `auth` have to be given again.',
  })
  @ApiOkResponse({ type: DestinationDto })
  @ApiProblems(
    DestinationNotFoundError,
    ChangedMeanwhileError,
    NameTakenError,
    VersionMismatchError,
    INVALID,
    DestinationTypeFixedError,
  )
  @ApiIfMatch()
  update(
    @Param('id') destinationId: string,
    @Body() changes: UpdateDestinationDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
    @Query() { allowDuplicate }: NameQueryDto,
  ): Promise<DestinationDto> {
    return this.destinations.update(destinationId, changes, actor, { expected, allowDuplicate });
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a destination; what still waits for it is cancelled' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(DestinationNotFoundError, ChangedMeanwhileError, VersionMismatchError)
  @ApiIfMatch()
  delete(
    @Param('id') destinationId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.destinations.delete(destinationId, actor, expected);
  }
}
