import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import type { DestinationDto } from '../../destinations/dto/destination.dto';
import { Database, type Tx } from '../../platform/database/database';
import { PendingFrom } from '../ledger/pending-from';
import { Obstacles } from '../presence/obstacles';
import { failingSince } from '../stats/failing-since';
import { type Health, healthOf, readHealth } from '../stats/health-of';
import { type DestinationBacklog, readBacklogs } from '../stats/read-backlogs';
import { readTryCounts } from '../stats/read-try-counts';
import { summarizeTries } from '../stats/summarize-tries';
import type {
  DestinationsStatsQueryDto,
  DestinationStatsDto,
  ListedStatsDto,
} from './dto/destination-stats.dto';
import { MAX_COUNT, mostCounted } from './most-counted';

const NO_BACKLOG: DestinationBacklog = {
  pending: 0,
  deadLetters: 0,
  oldestPendingSeconds: null,
  overdueSeconds: null,
};

interface Standing extends DestinationBacklog {
  readonly health: Health;
  readonly countedUpTo: number;
}

/** How deliveries to destinations are doing. */
@Injectable()
export class DestinationStats {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationsService,
    private readonly pendingFrom: PendingFrom,
    private readonly obstacles: Obstacles,
  ) {}

  /** @throws DestinationNotFoundError */
  async of(destinationId: string): Promise<DestinationStatsDto> {
    const destination = await this.destinations.findOne(destinationId);
    return this.inOneSnapshot(async (tx) => {
      const standing = (await this.standingsOf([destination], MAX_COUNT, tx))[0] as Standing;
      const hour = await readTryCounts([destination.id], 'hour', tx);
      const day = await readTryCounts([destination.id], 'day', tx);
      return {
        ...standing,
        lastHour: summarizeTries(hour.get(destination.id) ?? []),
        lastDay: summarizeTries(day.get(destination.id) ?? []),
      };
    });
  }

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async list({ span = 'hour', ...page }: DestinationsStatsQueryDto): Promise<ListedStatsDto[]> {
    const destinations = await this.destinations.findAll(page);
    return this.inOneSnapshot(async (tx) => {
      const standings = await this.standingsOf(destinations, mostCounted(destinations.length), tx);
      const ids = destinations.map(({ id }) => id);
      const tries = await readTryCounts(ids, span, tx);
      return destinations.map(({ id, name, type }, index) => ({
        id,
        name,
        type,
        ...(standings[index] as Standing),
        tries: summarizeTries(tries.get(id) ?? []),
      }));
    });
  }

  /** So that the success rate and the state beside it agree. */
  private inOneSnapshot<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only');
      return read(tx);
    });
  }

  /** In the order of the destinations. */
  private async standingsOf(
    destinations: readonly DestinationDto[],
    most: number,
    tx: Tx,
  ): Promise<Standing[]> {
    const ids = destinations.map(({ id }) => id);
    const health = await readHealth(ids, tx);
    const failing = await failingSince(ids, tx);
    const backlogs = await readBacklogs(ids, most, this.pendingFrom.id, tx);
    const obstacles = await this.obstacles.read(destinations, tx);
    return destinations.map((destination) => {
      const { id, enabled, createdAt } = destination;
      const obstacle = obstacles.get(id);
      const backlog = backlogs.get(id) ?? NO_BACKLOG;
      return {
        ...backlog,
        health: healthOf({ enabled, obstacle, createdAt }, health.get(id), failing.get(id)),
        countedUpTo: most,
      };
    });
  }
}
