import type { Tx } from '../../platform/database/database';

/** Knows what destinations are called, which are made upon segments: they implement this, see `DestinationNamesModule`. */
export abstract class DestinationNames {
  /** By id; those that were deleted are left out. */
  abstract of(ids: readonly string[], tx: Tx): Promise<ReadonlyMap<string, string>>;
}
