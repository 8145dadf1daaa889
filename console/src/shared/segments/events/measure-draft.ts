import { type Aggregate, AGGREGATES, isAggregate } from '../aggregates';
import {
  type EventTest,
  type EventTestDraft,
  NO_TEST,
  readEventTest,
  writeEventTest,
} from './event-test-draft';
import { NO_TIME, readTime, type TimeDraft, WINDOW_LIMITS, writeTime } from './time-draft';

/** A value about what people did, while it is written. */
export interface MeasureDraft extends EventTestDraft {
  readonly aggregate: Aggregate;
  /** The path to the values; not for an aggregate of the events themselves. */
  readonly of: string;
  readonly within: TimeDraft;
}

/** Members of a rule that say how many events there are. */
export interface Count extends EventTest {
  readonly within?: string;
}

/** Members of a rule or computed trait that say what is made of stored events. */
export interface Measure extends EventTest {
  readonly event: string;
  readonly aggregate: Aggregate;
  readonly of?: string;
  readonly within: string;
}

export const NEW_MEASURE: MeasureDraft = { ...NO_TEST, aggregate: 'count', of: '', within: NO_TIME };

type Members = Readonly<Record<string, unknown>>;

/** Undefined when the members are none of the language. Without an aggregate it is a number of events. */
export function readMeasure({ aggregate = 'count', of, within, ...test }: Members): MeasureDraft | undefined {
  if (!isAggregate(aggregate) || AGGREGATES[aggregate].hasPath !== (of !== undefined)) return undefined;
  if (of !== undefined && typeof of !== 'string') return undefined;
  const events = readEventTest(test);
  const time = readTime(within, WINDOW_LIMITS);
  return events && time && { ...events, aggregate, of: of ?? '', within: time };
}

/** Whether a number of events needs those that are stored, and with them a name and a window. */
export function countNeedsEvents({ where, within }: MeasureDraft): boolean {
  return where.length > 0 || (within.count !== '' && within.unit === 'h');
}

/** A number of events; undefined while something is missing. */
export function writeCount(draft: MeasureDraft): Count | undefined {
  const events = writeEventTest(draft);
  const time = writeTime(draft.within, WINDOW_LIMITS);
  if (events === undefined || time === undefined) return undefined;
  const isEnough = events.event !== undefined && time.within !== undefined;
  return isEnough || !countNeedsEvents(draft) ? { ...events, ...time } : undefined;
}

/** What is made of stored events; undefined while something is missing. */
export function writeMeasure(draft: MeasureDraft): Measure | undefined {
  const { aggregate, of } = draft;
  const { event, ...events } = writeEventTest(draft) ?? {};
  const { within } = writeTime(draft.within, WINDOW_LIMITS) ?? {};
  const { hasPath } = AGGREGATES[aggregate];
  if (event === undefined || within === undefined || (hasPath && of === '')) return undefined;
  return { event, ...events, aggregate, ...(hasPath ? { of } : {}), within };
}
