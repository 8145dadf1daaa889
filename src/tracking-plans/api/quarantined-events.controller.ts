import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { linkNext } from '../../platform/http/resources/page';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { notFound } from '../../platform/http/problems/problem';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import {
  QuarantinedEventDto,
  QuarantinedEventsQueryDto,
  ReleasedEventDto,
  searchOf,
  SettledDto,
  SettleQuarantineDto,
} from '../quarantine/dto/quarantined-event.dto';
import { findQuarantinedEvents } from '../quarantine/find-quarantined-events';
import { Quarantine } from '../quarantine/quarantine';

/** Whoever tries an example is not to settle everything. */
const OF_A_SOURCE = { 'of a source': { value: { sourceId: EXAMPLE_IDS.madeSource } } };

class QuarantinedEventNotFoundError extends notFound('quarantined event') {}

@ApiTags('tracking plans')
@Controller('quarantined-events')
export class QuarantinedEventsController {
  constructor(
    private readonly database: Database,
    private readonly quarantine: Quarantine,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the quarantined events, newest first',
    description:
      'They are there a second after the answer, once it is known that they are of nobody who is suppressed, and for `CDP_QUARANTINE_RETENTION_DAYS`. A page ends before `limit` where it has some 4 MB of events; the `Link` header says whether there are more.',
  })
  @ApiOkResponse({ type: [QuarantinedEventDto] })
  async find(
    @Query() query: QuarantinedEventsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<QuarantinedEventDto[]> {
    const { found, more } = await findQuarantinedEvents(searchOf(query), query.limit, this.database);
    if (more) linkNext(found.at(-1)?.id ?? '', query, '/quarantined-events', reply);
    return found.map(QuarantinedEventDto.from);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a quarantined event' })
  @ApiOkResponse({ type: QuarantinedEventDto })
  @ApiProblems(QuarantinedEventNotFoundError)
  async findOne(@Param('id') id: string): Promise<QuarantinedEventDto> {
    const { found } = isUUID(id) ? await findQuarantinedEvents({ id }, 1, this.database) : { found: [] };
    const [event] = found;
    if (event === undefined) throw new QuarantinedEventNotFoundError(id);
    return QuarantinedEventDto.from(event);
  }

  @Post('release')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Let quarantined events go the way of all others, oldest first',
    description: 'They are stored as they are, once, and processed like all others from there.',
  })
  @ApiBody({ type: SettleQuarantineDto, examples: OF_A_SOURCE })
  @ApiOkResponse({ type: SettledDto })
  release(@Body() filter: SettleQuarantineDto, @CurrentActor() actor: Actor): Promise<SettledDto> {
    return this.quarantine.release(searchOf(filter), actor);
  }

  @Post('discard')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delete quarantined events' })
  @ApiBody({ type: SettleQuarantineDto, examples: OF_A_SOURCE })
  @ApiOkResponse({ type: SettledDto })
  discard(@Body() filter: SettleQuarantineDto, @CurrentActor() actor: Actor): Promise<SettledDto> {
    return this.quarantine.discard(searchOf(filter), actor);
  }

  @Post(':id/release')
  @HttpCode(200)
  @ApiOperation({ summary: 'Let a quarantined event go the way of all others' })
  @ApiOkResponse({ type: ReleasedEventDto })
  @ApiProblems(QuarantinedEventNotFoundError)
  async releaseOne(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<ReleasedEventDto> {
    const eventId = isUUID(id) ? await this.quarantine.releaseOne(id, actor) : undefined;
    if (eventId === undefined) throw new QuarantinedEventNotFoundError(id);
    return { eventId };
  }

  @Post(':id/discard')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a quarantined event' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(QuarantinedEventNotFoundError)
  async discardOne(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<void> {
    const isGone = isUUID(id) && (await this.quarantine.discardOne(id, actor));
    if (!isGone) throw new QuarantinedEventNotFoundError(id);
  }
}
