import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { readDeliveryCounts } from '../delivery/stats/read-delivery-counts';
import { readEventCounts } from '../events/counts/read-event-counts';
import { readInboxLag } from '../events/inbox/inbox-lag';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import { ReplicaDatabase } from '../platform/database/replica-database';
import { StatsDto, StatsQueryDto } from './dto/stats.dto';
import { countQuarantinedEvents } from '../tracking-plans/quarantine/find-quarantined-events';
import { SPANS, startOf, summarize } from './summarize-stats';

/** More quarantined events than this are not counted: it says the same, and is asked for every few seconds. */
const MAX_QUARANTINED = 1_000;

@ApiTags('inspector')
@Controller('stats')
export class StatsController {
  constructor(private readonly database: ReplicaDatabase) {}

  @Get()
  @ApiOperation({
    summary: 'How is the service doing?',
    description:
      'Events and deliveries of the last hour, by minute, or of the last day, by quarter of an hour. Counted in PostgreSQL, ' +
      'a second or so behind; a process that crashes loses the counts of a second.',
  })
  @ApiOkResponse({ type: StatsDto })
  async read(@Query() { span = 'hour' }: StatsQueryDto): Promise<StatsDto> {
    const nowMs = databaseNowMs();
    const { stepSeconds } = SPANS[span];
    const from = new Date(startOf(span, nowMs));
    const [events, deliveries, inbox, quarantined] = await Promise.all([
      readEventCounts(from, stepSeconds, this.database),
      readDeliveryCounts(from, stepSeconds, this.database),
      readInboxLag(this.database),
      countQuarantinedEvents({}, MAX_QUARANTINED, this.database),
    ]);
    const quarantine = { events: quarantined, countedUpTo: MAX_QUARANTINED };
    return summarize(span, nowMs, { events, deliveries, inbox, quarantine });
  }
}
