import type { ServiceFact } from '../delivery/new-notices';
import type { ServiceNotice } from '../destinations/destination-notices';
import type { Tx } from '../platform/database/database';

/** What destinations were last told of a destination, source or segment. */
export interface Told {
  readonly state: string;
  readonly at: Date;
}

/** What a look has found that was not told yet. */
export interface Findings {
  /** What is told of from now on, by id; undefined is nothing. */
  readonly told: ReadonlyMap<string, string | undefined>;
  readonly facts: readonly ServiceFact[];
}

/** Compares how things are with what was told of them. */
export interface Look {
  /** Never changed: what was told is kept by it. */
  readonly name: string;
  /** It is taken only while a destination asks for one of them. */
  readonly kinds: readonly ServiceNotice[];
  readonly everyMs: number;
  /** @param told what was told, by id */
  look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings>;
  /** Forgets what it keeps itself for the next look: nobody asks any more. */
  forget?(tx: Tx): Promise<void>;
}
