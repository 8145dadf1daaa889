import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { cutPage } from '../../platform/http/resources/page';
import { DestinationStats } from './destination-stats';
import { DestinationsStatsQueryDto, ListedStatsDto } from './dto/destination-stats.dto';

@ApiTags('destinations')
@Controller('destinations/stats')
export class DestinationsStatsController {
  constructor(private readonly statistics: DestinationStats) {}

  @Get()
  @ApiOperation({
    summary: 'Show how the destinations are doing, page by page',
    description:
      'As `GET /destinations/{id}/stats` shows it of one, but of one time and with smaller counts. In the order of ' +
      '`GET /destinations`, a hundred at most.',
  })
  @ApiOkResponse({ type: [ListedStatsDto] })
  async list(
    @Query() query: DestinationsStatsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedStatsDto[]> {
    return cutPage(await this.statistics.list(query), query, '/destinations/stats', reply);
  }
}
