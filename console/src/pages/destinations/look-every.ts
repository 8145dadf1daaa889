import type { Dto } from '../../api/client';
import { waitsOf } from '../../shared/destinations/waits-of';

const MOVING_MS = 1_000;
const STANDING_MS = 5_000;
/** More takes a while to send and to count. */
const MAX_SOON_OVER = 1_000;

/** How often to ask for the numbers of a destination: what is pending is over in a moment, unless it is held up. */
export function lookEveryMs(stats: Dto['DestinationStatsDto'] | undefined): number {
  if (stats === undefined || waitsOf(stats.health) !== undefined) return STANDING_MS;
  return stats.pending > 0 && stats.pending < MAX_SOON_OVER ? MOVING_MS : STANDING_MS;
}
