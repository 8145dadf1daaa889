import type { JsonValue } from '../../events/customer-event';
import type { EventPath } from '../../events/event-path';
import type { EventTest } from './event-test';

export const AGGREGATES = [
  'count',
  'unique',
  'sum',
  'min',
  'max',
  'avg',
  'first',
  'last',
  'most_frequent',
] as const;
/**
 * What is made of events, of the different values at a path in them, or of the numbers there; or the value there of the
 * first or last of them that has one, or of most of them.
 */
export type Aggregate = (typeof AGGREGATES)[number];

/** One value about what a person did, from the stored events. */
export interface Measure extends EventTest {
  readonly aggregate: Aggregate;
  /** Where the values are; undefined for `count`. */
  readonly of?: EventPath;
}

/** What the events of a step of a window, a day or an hour, and of all later ones come to. */
export interface MeasuredStep {
  /** Days or hours since 1970, in UTC. */
  readonly step: number;
  /** Null where none of them has one. */
  readonly value: JsonValue;
}

/** An event that counts for a rule. */
export interface CountedEvent {
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** What stands in it where the values are; undefined where events are counted. */
  readonly value?: JsonValue;
  /** Of a sequence: the places in the rule of the steps that it may be, `sequence[0]` or `not`. */
  readonly steps?: readonly string[];
}

/** Equal for measures that are the same, whichever segments and windows ask for them. */
export function measureKey({ event, type, where, range, aggregate, of }: Measure): string {
  return JSON.stringify([event, type ?? null, where, range ?? null, aggregate, of ?? null]);
}

/** Whether the value is one that stands in an event: a text, a number, true or false. Others are numbers. */
export function isOfEvent({ aggregate }: Pick<Measure, 'aggregate'>): boolean {
  return aggregate === 'first' || aggregate === 'last' || aggregate === 'most_frequent';
}

/** Of no events at all; undefined where that is no number. */
export function valueOfNothing(aggregate: Aggregate): number | undefined {
  return aggregate === 'count' || aggregate === 'unique' || aggregate === 'sum' ? 0 : undefined;
}
