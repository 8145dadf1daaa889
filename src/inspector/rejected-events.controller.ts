import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { countRejectedEvents, findRejectedEvents } from '../events/rejected/find-rejected-events';
import { DAY_MS } from '../events/partitions/partition-plan';
import { unstoredSearchOf } from '../events/unstored/unstored-events-query.dto';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import { ReplicaDatabase } from '../platform/database/replica-database';
import { cutPage } from '../platform/http/resources/page';
import {
  RejectedCountDto,
  RejectedCountsQueryDto,
  RejectedEventDto,
  RejectedEventsQueryDto,
} from './dto/rejected-event.dto';

@ApiTags('inspector')
@Controller('rejected-events')
export class RejectedEventsController {
  constructor(private readonly database: ReplicaDatabase) {}

  @Get()
  @ApiOperation({
    summary: 'List events that were not accepted, newest first, with what is wrong',
    description:
      'Of each source, first problem and hour a hundred are kept, for `CDP_REJECTED_RETENTION_DAYS`. `GET ' +
      '/rejected-events/counts` counts all of them. They are there some seconds after the answer; ' +
      'those of people who are suppressed, or were erased meanwhile, are not.',
  })
  @ApiOkResponse({ type: [RejectedEventDto] })
  async find(
    @Query() query: RejectedEventsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RejectedEventDto[]> {
    const found = await findRejectedEvents(unstoredSearchOf(query), query.limit + 1, this.database);
    return cutPage(found.map(RejectedEventDto.from), query, '/rejected-events', reply);
  }

  @Get('counts')
  @ApiOperation({ summary: 'Count the events that were not accepted, by source, code and path; most first' })
  @ApiOkResponse({ type: [RejectedCountDto] })
  count(@Query() { sourceId, from, to }: RejectedCountsQueryDto): Promise<RejectedCountDto[]> {
    const nowMs = databaseNowMs();
    const since = from ?? new Date(nowMs - DAY_MS).toISOString();
    return countRejectedEvents(
      { sourceId, from: since, to: to ?? new Date(nowMs).toISOString() },
      this.database,
    );
  }
}
