import { readEventPath } from '../../events/event-path';
import type { InputProblems } from '../../platform/http/input/input-problems';
import { MAX_WITHIN_DAYS, MAX_WITHIN_HOURS } from './limits';
import { type Aggregate, AGGREGATES } from './measure';
import { readEventName, readEventType, readWhere } from './parse-event-test';
import type { EventCountField, MeasureField } from './predicate';
import { parseWindow, type Window } from './window';

/** The members of a rule that stored events are needed for: the counts of a profile do not know what is in an event. */
export const MEASURE_MEMBERS = ['where', 'aggregate', 'of'] as const;

/** What a client wrote of which events count, and what is made of them. */
export interface MeasureInput {
  readonly event?: unknown;
  readonly type?: unknown;
  readonly within?: unknown;
  readonly where?: unknown;
  readonly aggregate?: unknown;
  readonly of?: unknown;
}

/** Whether stored events are needed: they are for hours, too, for a profile has counts of days. */
export function hasMeasure(rule: MeasureInput, window: Window | undefined): boolean {
  return window?.unit === 'hour' || MEASURE_MEMBERS.some((name) => rule[name] !== undefined);
}

/** Which events a rule counts. */
export type CountedEvents = Pick<EventCountField, 'event' | 'type'> & { readonly window?: Window };

export function readCountedEvents(
  { event: name, type: given, within }: MeasureInput,
  path: string,
  problems: InputProblems,
): CountedEvents | undefined {
  const event = name === undefined ? undefined : readEventName(name, `${path}.event`, problems);
  if (event !== name) return undefined;
  const type = given === undefined ? undefined : readEventType(given, `${path}.type`, problems);
  if (type !== given) return undefined;
  const window = parseWindow(within);
  if (within !== undefined && window === undefined) {
    const message = `Must be days such as 30d, at most ${MAX_WITHIN_DAYS}d, or hours such as 36h, at most ${MAX_WITHIN_HOURS}h.`;
    return problems.fail(`${path}.within`, 'invalid_within', message);
  }
  return {
    ...(event === undefined ? {} : { event }),
    ...(type === undefined ? {} : { type }),
    ...(window && { window }),
  };
}

/** The measure of a rule at `path`, whose other members are read already. */
export function readMeasure(
  rule: MeasureInput,
  { event, type, window }: CountedEvents,
  path: string,
  problems: InputProblems,
): MeasureField | undefined {
  if (event === undefined) {
    problems.fail(
      `${path}.event`,
      'missing_event',
      'where, aggregate, of and hours need the name of an event.',
    );
  }
  if (window === undefined) {
    const message = 'where, aggregate and of need a window, such as 30d: events are not stored for ever.';
    problems.fail(`${path}.within`, 'missing_within', message);
  }
  const { aggregate: given = 'count' } = rule;
  const aggregate = problems.oneOf(AGGREGATES, given, `${path}.aggregate`, 'invalid_aggregate');
  const where = readWhere(rule.where, `${path}.where`, problems);
  const values = aggregate && readValues(aggregate, rule.of, `${path}.of`, problems);
  if (event === undefined || window === undefined) return undefined;
  if (aggregate === undefined || where === undefined || values === undefined) return undefined;
  const ofType = type === undefined ? {} : { type };
  return { kind: 'measure', measure: { event, ...ofType, where, aggregate, ...values }, window };
}

/** Nothing where events are counted: they need no values. */
function readValues(
  aggregate: Aggregate,
  of: unknown,
  path: string,
  problems: InputProblems,
): Pick<MeasureField['measure'], 'of'> | undefined {
  if (aggregate !== 'count') {
    const values = readEventPath(of, path, problems, 'invalid_of');
    return values && { of: values };
  }
  return of === undefined
    ? {}
    : problems.fail(path, 'not_applicable', 'of goes with every aggregate but count.');
}
