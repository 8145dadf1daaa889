import type { Tx } from '../platform/database/database';

/**
 * Knows what destinations are called, which are made upon segments: they implement this, see `DestinationNamesModule`.
 */
export abstract class DestinationNames {
  /** By id; those that were deleted are left out. */
  abstract of(ids: readonly string[], tx: Tx): Promise<ReadonlyMap<string, string>>;

  /** Those whose filters name a segment: up to 20. With the lock of all definitions held no other begins to. */
  abstract thatAskAbout(segmentId: string, tx: Tx): Promise<string[]>;
}
