import type { Tx } from '../platform/database/database';

/** Knows which destinations get the events of a source, and are made upon sources: they implement this. */
export abstract class DestinationsOfSource {
  /** The names of those that name it: up to 20. With its row locked no other begins to. */
  abstract naming(sourceId: string, tx: Tx): Promise<string[]>;
}
