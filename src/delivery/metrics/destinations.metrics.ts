import { Injectable } from '@nestjs/common';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { Database } from '../../platform/database/database';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped } from '../../platform/metrics/scraped';
import { countDeadLetters } from '../ledger/dead-letters/read-dead-letters';
import { type DestinationState, DestinationStates } from '../stats/destination-states';
import type { HealthState } from '../stats/health-of';

/** Destinations that are named at most: labels must stay few. */
const MAX_NAMED = 100;
/** Dead letters that are counted at most, the newest. */
const MAX_COUNTED = 100_000;
/** One that an operator paused is in the state that was asked for. */
const UNHEALTHY: readonly HealthState[] = ['degraded', 'disabled'];

/**
 * Names the destinations that want attention: those that are not healthy, and those with dead letters; at most a
 * hundred each. The same in every process, so take the maximum, not the sum.
 */
@Injectable()
export class DestinationsMetrics {
  constructor(metrics: Metrics, database: Database, states: DestinationStates) {
    const read = scraped(() => states.read([], database));
    metrics.gauge({
      name: 'destination_unhealthy_seconds',
      help:
        'For how long a destination has been degraded or disabled by the service, 0 where that is not known; ' +
        `the ${MAX_NAMED} that have been so for longest.`,
      labelNames: ['destination', 'destination_id', 'state', 'reason'],
      async collect() {
        this.reset();
        for (const { id, name, health, seconds } of longestUnhealthy((await read()) ?? [])) {
          const { state, reason } = health;
          this.set({ destination: name, destination_id: id, state, reason: reason ?? 'unknown' }, seconds);
        }
      },
    });
    const readDead = scraped(() => countDeadLetters(MAX_COUNTED, MAX_NAMED, database));
    metrics.gauge({
      name: 'dead_letters',
      help: `Deliveries that were given up and neither replayed nor discarded: the newest ${MAX_COUNTED}, of the ${MAX_NAMED} destinations that have most.`,
      labelNames: ['destination', 'destination_id'],
      async collect() {
        this.reset();
        for (const { destinationId, destinationName, count } of (await readDead()) ?? []) {
          this.set({ destination: destinationName ?? 'deleted', destination_id: destinationId }, count);
        }
      },
    });
  }
}

function longestUnhealthy(states: readonly DestinationState[]): (DestinationState & { seconds: number })[] {
  return states
    .filter(({ health }) => UNHEALTHY.includes(health.state))
    .map((state) => ({ ...state, seconds: secondsSince(state.health.since) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_NAMED);
}

function secondsSince(since: string | null): number {
  return since === null ? 0 : Math.max(0, databaseNowMs() - Date.parse(since)) / 1000;
}
