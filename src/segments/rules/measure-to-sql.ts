import { matchingEventsSql } from '../../events/reading/matching-events-sql';
import { jsonTestToSql } from '../../language/operator-to-sql';
import { SqlValues } from '../../language/sql-values';
import { subjectsOfPeopleSql, subjectsOfPersonSql } from '../../profiles/identity/subjects-sql';
import { jsonPathToSql } from './json-path-to-sql';
import type { Aggregate, Measure } from './measure';
import type { MeasureField } from './predicate';

/** The place of a measure in a statement; `root` is an SQL expression for the subject of the profile. */
interface Place {
  readonly root: string;
  readonly now: string;
  readonly values: SqlValues;
}

/** The value of a measure in a window, a float8; null where there is no number. */
export function measureToSql({ measure, withinDays }: MeasureField, place: Place): string {
  const parts = partsOf(measure, place.values);
  const value = valueSql(measure.aggregate, (part) => parts[part]);
  return `(select ${boundedSql('m.value')} from (
    select ${value} as value from ${eventsOfPersonSql(measure, withinDays, place)}) as m)`;
}

/** When the oldest day with events that count leaves the window, a timestamptz. */
export function oldestLeavesSql({ measure, withinDays }: MeasureField, place: Place): string {
  const { values } = place;
  const leaves = `min(e.day) filter (where ${testSql(measure, values)}) + ${values.add(withinDays, 'integer')} + 1`;
  return `(select (date '1970-01-01' + (${leaves}))::timestamp at time zone 'UTC'
    from ${eventsOfPersonSql(measure, withinDays, place)})`;
}

/** What is read at once: measures of events of one name, of some people, since a day. */
export interface MeasuresToRead {
  readonly event: string;
  readonly measures: readonly Measure[];
  readonly subjects: readonly string[];
  readonly firstDay: number;
}

/**
 * A statement that answers the `subject`, the `day` and the `values` of each day with events of the name, the oldest day
 * first: for each of the measures, in their order, what is in a `MeasuredDay`.
 */
export function measuredDaysStatement({ event, measures, subjects, firstDay }: MeasuresToRead): {
  readonly text: string;
  readonly params: readonly unknown[];
} {
  const values = new SqlValues();
  const events = matchingEventsSql({
    subjects: subjectsOfPeopleSql(values.add(subjects, 'text[]')),
    name: values.text(event),
    since: `(date '1970-01-01' + ${values.add(firstDay, 'integer')})::timestamp at time zone 'UTC'`,
  });
  const ofDay: string[] = [];
  const running = measures.map((measure, at) => {
    const parts = partsOf(measure, values);
    return valueSql(measure.aggregate, (part) => {
      ofDay.push(`${parts[part]} as ${part}_${at}`);
      return `${RUNNING[part]}(d.${part}_${at}) over later`;
    });
  });
  const text = `
    select m.subject, m.day, array[${running.map((_, at) => boundedSql(`m.value_${at}`)).join(', ')}] as values from (
      select d.subject, d.day, ${running.map((value, at) => `${value} as value_${at}`).join(', ')}
      from (select s.root as subject, e.day, ${ofDay.join(', ')} from ${events} group by 1, 2) as d
      window later as (partition by d.subject order by d.day desc)
    ) as m order by m.day`;
  return { text, params: values.params };
}

/** What is known of the events that count: how many they are, how many numbers they have, and what these come to. */
type Part = 'events' | 'numbers' | 'sum' | 'min' | 'max';

/** How the parts of days are put together. */
const RUNNING: Readonly<Record<Part, string>> = {
  events: 'sum',
  numbers: 'sum',
  sum: 'sum',
  min: 'min',
  max: 'max',
};

function partsOf(measure: Measure, values: SqlValues): Readonly<Record<Part, string>> {
  const counts = `filter (where ${testSql(measure, values)})`;
  const number = measure.of === undefined ? 'null::numeric' : numberSql(measure.of, values);
  return {
    events: `count(*) ${counts}`,
    numbers: `count(${number}) ${counts}`,
    sum: `sum(${number}) ${counts}`,
    min: `min(${number}) ${counts}`,
    max: `max(${number}) ${counts}`,
  };
}

function valueSql(aggregate: Aggregate, part: (name: Part) => string): string {
  switch (aggregate) {
    case 'count':
      return `(${part('events')})::numeric`;
    case 'sum':
      return `coalesce(${part('sum')}, 0)`;
    case 'min':
    case 'max':
      return part(aggregate);
    case 'avg':
      return `${part('sum')} / nullif(${part('numbers')}, 0)`;
  }
}

/** Whether an event with the name counts. */
function testSql({ type, where }: Measure, values: SqlValues): string {
  const ofType = type === undefined ? [] : [`e.type = '${type}'`];
  const holds = where.map((test) =>
    jsonTestToSql(jsonPathToSql('e.payload', test.path, values), test, values),
  );
  return [...ofType, ...holds].join(' and ') || 'true';
}

function numberSql(path: readonly string[], values: SqlValues): string {
  const value = jsonPathToSql('e.payload', path, values);
  return `case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`;
}

function eventsOfPersonSql({ event }: Measure, withinDays: number, { root, now, values }: Place): string {
  const firstDay = `(${now} at time zone 'UTC')::date - ${values.add(withinDays, 'integer')}`;
  return matchingEventsSql({
    subjects: subjectsOfPersonSql(root),
    name: values.text(event),
    since: `(${firstDay})::timestamp at time zone 'UTC'`,
  });
}

/** Digits behind the point that are kept, and the largest number: within both every numeric is a float8. */
const MAX_DECIMALS = 30;
const LARGEST = '1e300';

function boundedSql(value: string): string {
  return `case when abs(${value}) > ${LARGEST} then sign(${value}) * ${LARGEST} else round(${value}, ${MAX_DECIMALS}) end::float8`;
}
