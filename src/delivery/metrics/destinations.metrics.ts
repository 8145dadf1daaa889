import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { Metrics } from '../../platform/metrics/metrics';
import { scraped } from '../../platform/metrics/scraped';
import { countDeadLetters } from '../ledger/dead-letters/read-dead-letters';
import { findWithFailures } from '../stats/failing-since';
import { type DestinationState, DestinationStates } from '../stats/destination-states';

/** Destinations that are named at most: labels must stay few. */
const MAX_NAMED = 100;
/** Dead letters that are counted at most, the newest. */
const MAX_COUNTED = 100_000;

/**
 * Names the destinations that want attention: those that are not healthy, and those with dead letters; at most a
 * hundred each. The same in every process, so take the maximum, not the sum.
 */
@Injectable()
export class DestinationsMetrics {
  constructor(metrics: Metrics, database: Database, states: DestinationStates) {
    // Of one that fails only now and then the last minutes say nothing: it stays named until it is well.
    let named: DestinationState[] | undefined;
    const readUnhealthy = scraped(async () => {
      const known = named?.map(({ id }) => id) ?? (await findWithFailures(database));
      named = longestFirst((await states.read(known, database)).filter(isUnhealthy)).slice(0, MAX_NAMED);
      return named;
    });
    metrics.gauge({
      name: 'destination_unhealthy_seconds',
      help: `For how long a destination has been degraded, or disabled by the service, with the reason that its statistics give; 0 of one that nothing can be sent to, as since when is not known; at most ${MAX_NAMED}, those first, then by how long.`,
      labelNames: ['destination', 'destination_id', 'state', 'reason'],
      async collect() {
        this.reset();
        for (const { id, name, health } of (await readUnhealthy()) ?? []) {
          const labels = {
            destination: name,
            destination_id: id,
            state: health.state,
            reason: health.reason ?? '',
          };
          this.set(labels, health.since === null ? 0 : secondsSince(health.since));
        }
      },
    });
    const readDead = scraped(() => countDeadLetters(MAX_COUNTED, MAX_NAMED, database));
    metrics.gauge({
      name: 'dead_letters',
      help: `Dead deliveries, neither replayed nor discarded: the newest ${MAX_COUNTED}, of the ${MAX_NAMED} destinations that have most.`,
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

/** A destination that an operator paused is in the state that was asked for. */
function isUnhealthy({ health }: DestinationState): boolean {
  return health.state === 'degraded' || health.state === 'disabled';
}

function longestFirst(states: readonly DestinationState[]): DestinationState[] {
  const sinceOf = ({ health }: DestinationState): string => health.since ?? '';
  return states.toSorted((a, b) => (sinceOf(a) < sinceOf(b) ? -1 : 1));
}

function secondsSince(time: string): number {
  return Math.max(0, Date.now() - Date.parse(time)) / 1_000;
}
