import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import { type CustomerEvent, eventName } from '../../events/customer-event';
import { readNewestEvents } from '../../events/reading/newest-events';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { DEFAULT_LAST, type FilterPreviewDto, type FilterPreviewRequestDto } from './filter-preview.dto';
import { readPeople } from './person-of-event';
import { readFilter } from './read-filter';
import { RoutingTable } from './routing-table';

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
    const table = new RoutingTable(
      // It gets nothing, then.
      passing === 'unreadable'
        ? []
        : [{ destination: destinationId, sources: chosen ?? undefined, filter: passing }],
    );
    return this.database.transaction(async (tx) => {
      await tx.query('set local statement_timeout = 10000');
      return this.judge(await readNewestEvents(last, tx), table, tx);
    });
  }

  private async judge(
    events: readonly CustomerEvent[],
    table: RoutingTable<string>,
    tx: Tx,
  ): Promise<FilterPreviewDto> {
    const personOf = await readPeople(events, table, this.config.events.retentionDays, tx);
    const nowMs = Date.now();
    const judged = events.map((event) => ({
      type: event.type,
      event: eventName(event),
      messageId: event.messageId,
      userId: event.userId,
      timestamp: event.timestamp,
      passes: table.match(event, personOf(event), nowMs).length > 0,
    }));
    return {
      considered: judged.length,
      passed: judged.filter(({ passes }) => passes).length,
      events: judged,
    };
  }
}
