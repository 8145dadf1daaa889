import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import { eventName } from '../../events/customer-event';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { DEFAULT_LAST, type FilterPreviewDto, type FilterPreviewRequestDto } from './filter-preview.dto';
import { readFilter } from '../routing/read-filter';
import { judgeNewestEvents } from './judge-newest-events';

/** Says which of the newest events a filter would let pass. */
@Injectable()
export class FilterPreviews {
  constructor(
    private readonly database: Database,
    private readonly destinations: ActiveDestinations,
    private readonly config: Config,
  ) {}

  /** @throws DestinationNotFoundError, InvalidRequestError */
  async preview(
    destinationId: string,
    { filter, sources, last = DEFAULT_LAST }: FilterPreviewRequestDto,
  ): Promise<FilterPreviewDto> {
    await this.destinations.refresh();
    const destination = this.destinations.get(destinationId);
    if (destination === undefined) throw new DestinationNotFoundError(destinationId);
    const chosen = sources === undefined ? destination.sources : sources;
    const passing = filter === undefined ? destination.filter : await readFilter(filter, this.database);
    const judged = await judgeNewestEvents(
      {
        last,
        passing: passing === 'unreadable' ? undefined : { sources: chosen ?? undefined, filter: passing },
        retentionDays: this.config.events.retentionDays,
      },
      this.database,
    );
    return {
      considered: judged.length,
      passed: judged.filter(({ passes }) => passes).length,
      events: judged.map(({ event, passes }) => ({
        type: event.type,
        event: eventName(event),
        messageId: event.messageId,
        userId: event.userId,
        timestamp: event.timestamp,
        passes,
      })),
    };
  }
}
