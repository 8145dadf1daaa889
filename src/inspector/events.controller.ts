import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { linkNext } from '../platform/http/resources/page';
import { ApiProblems } from '../platform/openapi/api-problem.decorator';
import { EventDto } from './dto/event.dto';
import { EventsQueryDto } from './dto/events-query.dto';
import { TraceDto, TraceQueryDto } from './dto/trace.dto';
import { EventTraces } from './event-traces';
import { EventSearch } from './event-search';
import { EventNotFoundError } from './inspector-problems';

@ApiTags('inspector')
@Controller('events')
export class EventsController {
  constructor(
    private readonly search: EventSearch,
    private readonly traces: EventTraces,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the events that were accepted, newest first',
    description:
      'In the order of their acceptance: an event that was released from quarantine stands where it was released, with ' +
      'the `receivedAt` of when it was sent.',
  })
  @ApiOkResponse({
    type: [EventDto],
    description: 'A page may be short, even empty: as long as there is a `Link` to a next one, go on.',
  })
  async find(
    @Query() query: EventsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventDto[]> {
    const { events, nextBeforeId } = await this.search.find(query, query.limit);
    if (nextBeforeId !== undefined) linkNext(nextBeforeId, query, '/events', reply);
    return events.map((event) => EventDto.from(event));
  }

  @Get('trace')
  @ApiOperation({
    summary: 'Trace a message: where did my event go?',
    description:
      'What became of the events that came with a messageId, those that were not accepted too; those are here a second ' +
      'or so after the answer. An empty list: no event that is kept came with it.',
  })
  @ApiOkResponse({ type: [TraceDto] })
  traceMessage(@Query() query: TraceQueryDto): Promise<TraceDto[]> {
    return this.traces.ofMessage(query);
  }

  @Get(':id/trace')
  @ApiOperation({
    summary: 'Trace an event: where did it go?',
    description:
      'Reception, the inbox, the profile that has it, segments entered and left since, and every destination: what was ' +
      'answered to each try, what a pending delivery waits for, why one is dead, and which part of which filter said no.',
  })
  @ApiOkResponse({ type: TraceDto })
  @ApiProblems(EventNotFoundError)
  trace(@Param('id') eventId: string): Promise<TraceDto> {
    return this.traces.ofEvent(eventId);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show an event as it is stored' })
  @ApiOkResponse({ type: EventDto })
  @ApiProblems(EventNotFoundError)
  async findOne(@Param('id') eventId: string): Promise<EventDto> {
    return EventDto.from(await this.search.findOne(eventId));
  }
}
