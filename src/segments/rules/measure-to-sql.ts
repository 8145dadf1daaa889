import { matchingEventsSql } from '../../events/reading/matching-events-sql';
import { jsonTestToSql } from '../../language/operator-to-sql';
import { SqlValues } from '../../language/sql-values';
import { subjectsOfPeopleSql, subjectsOfPersonSql } from '../../profiles/identity/subjects-sql';
import { jsonPathToSql } from './json-path-to-sql';
import type { Measure } from './measure';
import type { MeasureField } from './predicate';

/** SQL expressions for what is known of some events: how many, how many numbers, and these. */
interface Parts {
  readonly events: string;
  readonly numbers: string;
  readonly sum: string;
  readonly min: string;
  readonly max: string;
}

const PARTS: Parts = {
  events: 'count(*)',
  numbers: 'count(n.number)',
  sum: 'sum(n.number)',
  min: 'min(n.number)',
  max: 'max(n.number)',
};
/** Of a day and all later ones, over {@link PARTS} of each day. */
const RUNNING_PARTS: Parts = {
  events: 'sum(d.events) over later',
  numbers: 'sum(d.numbers) over later',
  sum: 'sum(d.sum) over later',
  min: 'min(d.min) over later',
  max: 'max(d.max) over later',
};

/** The place of a measure in a statement; `root` is an SQL expression for the subject of the profile. */
interface Place {
  readonly root: string;
  readonly now: string;
  readonly values: SqlValues;
}

/** The value of a measure in a window, a float8; null where there is no number. */
export function measureToSql({ measure, withinDays }: MeasureField, place: Place): string {
  const { root, values } = place;
  const events = eventsSql(measure, subjectsOfPersonSql(root), windowStartSql(withinDays, place), values);
  return `(select ${boundedSql('m.value')} from (select ${valueSql(measure, PARTS)} as value ${events}) as m)`;
}

/** When the oldest day with events leaves the window, a timestamptz. */
export function oldestLeavesSql({ measure, withinDays }: MeasureField, place: Place): string {
  const { root, values } = place;
  const events = eventsSql(measure, subjectsOfPersonSql(root), windowStartSql(withinDays, place), values);
  const days = values.add(withinDays, 'integer');
  return `(select (date '1970-01-01' + min(e.day) + ${days} + 1)::timestamp at time zone 'UTC' ${events})`;
}

/**
 * A statement for several people: `subject`, `day` and `value` of each day with events, see `MeasuredDay`; the oldest
 * day first.
 */
export function measuredDaysStatement(
  measure: Measure,
  subjects: readonly string[],
  firstDay: number,
): { readonly text: string; readonly params: readonly unknown[] } {
  const values = new SqlValues();
  const roots = values.add(subjects, 'text[]');
  const since = `(date '1970-01-01' + ${values.add(firstDay, 'integer')})::timestamp at time zone 'UTC'`;
  const events = eventsSql(measure, subjectsOfPeopleSql(roots), since, values);
  const parts = Object.entries(PARTS).map(([name, part]) => `${part} as ${name}`);
  const text = `
    select m.subject, m.day, ${boundedSql('m.value')} as value from (
      select d.subject, d.day, ${valueSql(measure, RUNNING_PARTS)} as value
      from (select s.root as subject, e.day, ${parts.join(', ')} ${events} group by 1, 2) as d
      window later as (partition by d.subject order by d.day desc)
    ) as m order by m.day`;
  return { text, params: values.params };
}

function windowStartSql(withinDays: number, { now, values }: Place): string {
  return `((${now} at time zone 'UTC')::date - ${values.add(withinDays, 'integer')})::timestamp at time zone 'UTC'`;
}

/** The events that count, from `from` on, each with its number as `n`. */
function eventsSql(
  { event, type, where, of }: Measure,
  subjects: string,
  since: string,
  values: SqlValues,
): string {
  const events = matchingEventsSql({ subjects, name: values.text(event), type, since });
  const number = of === undefined ? 'null::numeric' : numberSql(jsonPathToSql('e.payload', of, values));
  const tests = where.map((test) =>
    jsonTestToSql(jsonPathToSql('e.payload', test.path, values), test, values),
  );
  const holds = tests.length === 0 ? '' : `where ${tests.join(' and ')}`;
  return `from ${events} cross join lateral (select ${number} as number) as n ${holds}`;
}

function numberSql(value: string): string {
  return `case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`;
}

function valueSql({ aggregate }: Measure, parts: Parts): string {
  switch (aggregate) {
    case 'count':
      return `(${parts.events})::numeric`;
    case 'sum':
      return `coalesce(${parts.sum}, 0)`;
    case 'min':
      return parts.min;
    case 'max':
      return parts.max;
    case 'avg':
      return `${parts.sum} / nullif(${parts.numbers}, 0)`;
  }
}

/** Digits behind the point that are kept, and the largest number: within both every numeric is a float8. */
const MAX_DECIMALS = 30;
const LARGEST = '1e300';

function boundedSql(value: string): string {
  return `case when abs(${value}) > ${LARGEST} then sign(${value}) * ${LARGEST} else round(${value}, ${MAX_DECIMALS}) end::float8`;
}
