import { Injectable } from '@nestjs/common';
import type { EventKey } from '../../events/customer-event';
import { countEventsInRange } from '../../events/reading/event-range';
import { timeOfId } from '../../events/partitions/partition-plan';
import { Database } from '../../platform/database/database';
import type { ReplayDryRunDto, ReplayEventsDto } from '../api/dto/replay.dto';
import { eventRangeOf, ReplayedEvents } from './replayed-events';
import type { ReplayFilter } from './replay-filter';
import { ReplayRequests } from './replay-requests';

/** Counting more than this is not worth it. */
const MAX_EVENTS = 1_000_000;
const PART_EVENTS = 2_000;
/** How long events are looked at before the rest is estimated. */
const MAX_LOOK_MS = 3_000;

interface Looked {
  readonly lookedAt: number;
  readonly deliveries: number;
  readonly isAll: boolean;
}

/** Says what a replay would send. */
@Injectable()
export class ReplayDryRuns {
  constructor(
    private readonly database: Database,
    private readonly requests: ReplayRequests,
    private readonly replayed: ReplayedEvents,
  ) {}

  /** @throws DestinationNotFoundError, InvalidRequestError */
  async count(destinationId: string, request: ReplayEventsDto): Promise<ReplayDryRunDto> {
    const filter = await this.requests.readForEvents(destinationId, request);
    const { lookedAt, deliveries, isAll } = await this.look(destinationId, filter);
    const counted = isAll
      ? lookedAt
      : await countEventsInRange(eventRangeOf(filter), MAX_EVENTS + 1, this.database);
    const share = lookedAt === 0 ? 0 : deliveries / lookedAt;
    return {
      deliveries: isAll ? deliveries : Math.round(share * Math.min(Math.max(counted, lookedAt), MAX_EVENTS)),
      exact: isAll,
      lookedAt,
      events: counted > MAX_EVENTS ? null : counted,
      from: new Date(timeOfId(filter.fromId)).toISOString(),
      to: new Date(timeOfId(filter.toId)).toISOString(),
    };
  }

  private async look(destinationId: string, filter: ReplayFilter): Promise<Looked> {
    const untilMs = performance.now() + MAX_LOOK_MS;
    let after: EventKey | undefined;
    let [lookedAt, deliveries] = [0, 0];
    do {
      const demand = { destinationId, filter, after, limit: PART_EVENTS };
      const { seen, wanted, isLast } = await this.replayed.read(demand, this.database);
      lookedAt += seen.length;
      deliveries += wanted.length;
      if (isLast) return { lookedAt, deliveries, isAll: true };
      after = seen.at(-1);
    } while (performance.now() < untilMs);
    return { lookedAt, deliveries, isAll: false };
  }
}
