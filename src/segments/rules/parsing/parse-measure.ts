import { readEventPath } from '../../../events/event-path';
import type { InputProblems } from '../../../platform/http/input/input-problems';
import { refuseComputed } from '../computed-path';
import { type Aggregate, AGGREGATES } from '../measure';
import { readEventName, readEventType, readWhere } from './parse-event-test';
import type { EventCountField, MeasureField } from '../predicate';
import { hasWindow, readWindow, type WindowInput } from './parse-window';
import type { Window } from '../window';

/** The members of a rule that stored events are needed for: the counts of a profile do not know what is in an event. */
export const MEASURE_MEMBERS = ['where', 'aggregate', 'of'] as const;

/** What a client wrote of which events count, and what is made of them. */
export interface MeasureInput extends WindowInput {
  readonly event?: unknown;
  readonly type?: unknown;
  readonly where?: unknown;
  readonly aggregate?: unknown;
  readonly of?: unknown;
}

/** Whether stored events are needed: they are for hours and ranges, too, for a profile has counts of the last days. */
export function hasMeasure(rule: MeasureInput, window: Window | undefined): boolean {
  if (window?.unit === 'hour' || window?.range !== undefined) return true;
  return MEASURE_MEMBERS.some((name) => rule[name] !== undefined);
}

/** Which events a rule counts. */
type CountedEvents = Omit<EventCountField, 'kind'>;

export function parseCountedEvents(
  rule: MeasureInput,
  path: string,
  problems: InputProblems,
): CountedEvents | undefined {
  const { event: name, type: given } = rule;
  const event = name === undefined ? undefined : readEventName(name, `${path}.event`, problems);
  if (event !== name) return undefined;
  const type = given === undefined ? undefined : readEventType(given, `${path}.type`, problems);
  if (type !== given) return undefined;
  const window = readWindow(rule, path, problems);
  if (window === undefined && hasWindow(rule)) return undefined;
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
      'where, aggregate, of, from, to and hours need the name of an event.',
    );
  }
  if (window === undefined) {
    const message =
      'where, aggregate and of need a window, such as 30d, or from and to: events are not stored for ever.';
    problems.fail(`${path}.within`, 'missing_within', message);
  }
  const aggregate = readAggregate(rule, path, problems);
  const where = readWhere(rule.where, `${path}.where`, problems);
  const values = aggregate && readValues(aggregate, rule.of, `${path}.of`, problems);
  if (event === undefined || window === undefined) return undefined;
  if (aggregate === undefined || where === undefined || values === undefined) return undefined;
  const { range } = window;
  const test = { event, ...(type && { type }), where, ...(range && { range }) };
  return { kind: 'measure', measure: { ...test, aggregate, ...values }, window };
}

/** Events are counted, unless said; one that is missing beside `of` was forgotten. */
function readAggregate(
  { aggregate, of }: MeasureInput,
  path: string,
  problems: InputProblems,
): Aggregate | undefined {
  if (aggregate !== undefined || of === undefined) {
    const given = aggregate === undefined ? 'count' : aggregate;
    return problems.oneOf(AGGREGATES, given, `${path}.aggregate`, 'invalid_aggregate');
  }
  const ofValues = AGGREGATES.filter((one) => one !== 'count').join(', ');
  return problems.fail(
    `${path}.aggregate`,
    'missing_aggregate',
    `Say what is made of the values at of: one of ${ofValues}.`,
  );
}

/** Nothing where events are counted: they need no values. */
function readValues(
  aggregate: Aggregate,
  of: unknown,
  path: string,
  problems: InputProblems,
): Pick<MeasureField['measure'], 'of'> | undefined {
  if (aggregate !== 'count') {
    const read = readEventPath(of, path, problems, 'invalid_of');
    const values = read && refuseComputed(read, path, problems, 'invalid_of');
    return values && { of: values };
  }
  return of === undefined
    ? {}
    : problems.fail(
        path,
        'not_applicable',
        'count counts events, so of says nothing: leave it out, or give another aggregate.',
      );
}
