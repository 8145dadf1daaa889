import { Injectable } from '@nestjs/common';
import { DestinationRouting } from '../../destinations/destination-routing';
import { DestinationsService } from '../../destinations/destinations.service';
import { lowestId } from '../../events/partitions/partition-plan';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import type { ReplayDeadLettersDto, ReplayEventsDto } from '../api/dto/replay.dto';
import type { EventSelection, ReplayFilter } from './replay-filter';

/** Reads what a replay is asked for. */
@Injectable()
export class ReplayRequests {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly routing: DestinationRouting,
  ) {}

  /** @throws DestinationNotFoundError */
  async readForDeadLetters({ destinationId, reason, from, to }: ReplayDeadLettersDto): Promise<ReplayFilter> {
    await this.destinations.findOne(destinationId);
    return { ...idRange(from, to), reason: reason ?? null };
  }

  /** @throws DestinationNotFoundError, InvalidRequestError with paths such as `filter.conditions[1].operator` */
  async readForEvents(destinationId: string, request: ReplayEventsDto): Promise<ReplayFilter> {
    await this.destinations.findOne(destinationId);
    const { sources, filter } = await this.routing.read({ sources: request.sources, filter: request.filter });
    const { userId = null, anonymousId = null } = request;
    const selection: EventSelection = { sources, filter, userId, anonymousId };
    const isChoosy = Object.values(selection).some((part) => part !== null);
    const range = { ...idRange(request.from, request.to), reason: null };
    return isChoosy ? { ...range, selection } : range;
  }
}

function idRange(from: string | undefined, to: string | undefined): { fromId: string; toId: string } {
  return {
    fromId: lowestId(from === undefined ? 0 : Date.parse(from)),
    // What comes while the replay runs is no part of it.
    toId: lowestId(Math.min(to === undefined ? Infinity : Date.parse(to), databaseNowMs() + 1)),
  };
}
