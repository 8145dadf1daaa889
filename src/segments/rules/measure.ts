import type { EventType } from '../../events/customer-event';
import type { EventPath } from '../../events/event-path';
import type { EventCondition } from '../../language/event-condition';

export const AGGREGATES = ['count', 'unique', 'sum', 'min', 'max', 'avg'] as const;
/** What is made of events, of the different values at a path in them, or of the numbers there. */
export type Aggregate = (typeof AGGREGATES)[number];

/** One number about what a person did, from the stored events. */
export interface Measure {
  /** The name of the events: of a track, page or screen; else the type. */
  readonly event: string;
  readonly type?: EventType;
  /** All of them hold for an event that counts. */
  readonly where: readonly EventCondition[];
  readonly aggregate: Aggregate;
  /** Where the values are; undefined for `count`. */
  readonly of?: EventPath;
}

/** What the events of a day and of all later days come to. */
export interface MeasuredDay {
  /** Days since 1970, in UTC. */
  readonly day: number;
  /** Null where none of them has a number. */
  readonly value: number | null;
}

/** Equal for measures that are the same, whichever segments and windows ask for them. */
export function measureKey({ event, type, where, aggregate, of }: Measure): string {
  return JSON.stringify([event, type ?? null, where, aggregate, of ?? null]);
}

/** Of no events at all; undefined where that is no number. */
export function valueOfNothing(aggregate: Aggregate): number | undefined {
  return aggregate === 'count' || aggregate === 'unique' || aggregate === 'sum' ? 0 : undefined;
}
