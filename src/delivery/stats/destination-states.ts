import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import type { Tx } from '../../platform/database/database';
import { Obstacles, type Obstacle } from '../presence/obstacles';
import { failingSince, findFailing } from './failing-since';
import { type Health, healthOf, readHealth, readUnwell } from './health-of';

export interface DestinationState {
  readonly id: string;
  readonly name: string;
  readonly health: Health;
}

/** How many destinations are doing, as the statistics say it of one. */
@Injectable()
export class DestinationStates {
  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly ofWorkers: Obstacles,
  ) {}

  /** Those that may not be well, and those of `others` that there are. */
  async read(others: readonly string[], tx: Tx): Promise<DestinationState[]> {
    const trying = [...new Set([...(await findFailing(tx)), ...others])];
    const obstacles = await this.obstacles(tx);
    const ids = new Set([...(await readUnwell(tx)), ...trying, ...obstacles.keys()]);
    const rows = await readHealth([...ids], tx);
    const failing = await failingSince(trying, tx);
    // Last: one that was switched on or off meanwhile is taken for paused or healthy, until the next look.
    await this.destinations.refresh(undefined, tx);
    return [...ids].flatMap((id) => {
      const destination = this.destinations.get(id);
      if (destination === undefined) return [];
      const { name, enabled } = destination;
      const watched = { enabled, obstacle: obstacles.get(id), createdAt: null };
      return [{ id, name, health: healthOf(watched, rows.get(id), failing.get(id)) }];
    });
  }

  /** Of those to which no worker can send, by id. */
  obstacles(tx: Tx): Promise<Map<string, Obstacle>> {
    return this.ofWorkers.read(this.destinations.snapshot.values(), tx);
  }
}
