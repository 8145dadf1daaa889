import { type Aggregate, AGGREGATES, isAggregate } from '../aggregates';
import {
  type EventTest,
  type EventTestDraft,
  missingInEventTest,
  NO_TEST,
  readEventTest,
  writeEventTest,
} from './event-test-draft';
import { LABELS } from '../field-labels';
import {
  hasWindow,
  missingInWindow,
  needsStoredEvents,
  NO_WINDOW,
  readWindow,
  type Window,
  type WindowDraft,
  writeWindow,
} from './window-draft';

/** A value about what people did, while it is written. */
export interface MeasureDraft extends EventTestDraft {
  readonly aggregate: Aggregate;
  /** The path to the values; not for an aggregate of the events themselves. */
  readonly of: string;
  readonly window: WindowDraft;
}

/** Members of a rule that say how many events there are. */
interface Count extends EventTest, Window {}

/** Members of a rule or computed trait that say what is made of stored events. */
export interface Measure extends EventTest, Window {
  readonly event: string;
  readonly aggregate: Aggregate;
  readonly of?: string;
}

export const NEW_MEASURE: MeasureDraft = { ...NO_TEST, aggregate: 'count', of: '', window: NO_WINDOW };

type Members = Readonly<Record<string, unknown>>;

/** Undefined when the members are none of the language. Without an aggregate it is a number of events. */
export function readMeasure({
  aggregate = 'count',
  of,
  within,
  from,
  to,
  ...test
}: Members): MeasureDraft | undefined {
  if (!isAggregate(aggregate) || AGGREGATES[aggregate].hasPath !== (of !== undefined)) return undefined;
  if (of !== undefined && typeof of !== 'string') return undefined;
  const events = readEventTest(test);
  const window = readWindow({ within, from, to });
  return events && window && { ...events, aggregate, of: of ?? '', window };
}

/** Whether a number of events needs those that are stored, and with them a name and a window. */
export function countNeedsEvents({ where, window }: MeasureDraft): boolean {
  return where.length > 0 || needsStoredEvents(window);
}

/** A number of events; undefined while something is missing. */
export function writeCount(draft: MeasureDraft): Count | undefined {
  const events = writeEventTest(draft);
  const window = writeWindow(draft.window);
  if (events === undefined || window === undefined) return undefined;
  const isEnough = events.event !== undefined && hasWindow(window);
  return isEnough || !countNeedsEvents(draft) ? { ...events, ...window } : undefined;
}

/** What is made of stored events; undefined while something is missing. */
export function writeMeasure(draft: MeasureDraft): Measure | undefined {
  const { aggregate, of } = draft;
  const { event, ...events } = writeEventTest(draft) ?? {};
  const window = writeWindow(draft.window) ?? {};
  const { hasPath } = AGGREGATES[aggregate];
  if (event === undefined || !hasWindow(window) || (hasPath && of === '')) return undefined;
  return { event, ...events, aggregate, ...(hasPath ? { of } : {}), ...window };
}

/** The fields without which `writeMeasure`, or `writeCount` of a number of events, has nothing. */
export function missingInMeasure(draft: MeasureDraft, isCount = false): string[] {
  const isStored = !isCount || countNeedsEvents(draft);
  const isPathMissing = !isCount && AGGREGATES[draft.aggregate].hasPath && draft.of === '';
  return [
    ...(isPathMissing ? [LABELS.of] : []),
    ...missingInEventTest(draft, isStored),
    ...missingInWindow(draft.window, isStored),
  ];
}
