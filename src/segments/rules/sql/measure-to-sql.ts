import { matchingEventsSql } from '../../../events/reading/matching-events-sql';
import { SqlValues } from '../../../language/sql-values';
import { subjectsOfPeopleSql, subjectsOfPersonSql } from '../../../profiles/identity/subjects-sql';
import { EventFields } from './event-fields';
import { eventTestToSql } from './event-test-to-sql';
import { isOfEvent, type Measure } from '../measure';
import {
  boundedSql,
  columnsOf,
  foundSql,
  hasValueSql,
  partsOf,
  RUNNING,
  valueSql,
} from './measure-parts-to-sql';
import type { MeasureField } from '../predicate';
import { beginOfStepSql, beginOfWindowMs, beginOfWindowSql, stepSql, type WindowUnit } from '../window';

/** What a measure stands in within a statement; `root` is an SQL expression for the subject of the profile. */
interface MeasureScope {
  readonly root: string;
  readonly now: string;
  readonly values: SqlValues;
}

/** The value of a measure in a window: jsonb for one that stands in an event, else float8; null where there is none. */
export function measureToSql(field: MeasureField, scope: MeasureScope): string {
  return `(select v.value from (${valueAndLeavingSql(field, scope)}) as v)`;
}

/**
 * A query of one row: as `value` the value of a measure in a window, as {@link measureToSql} has it; and as `leaves`
 * when the oldest step with events that count leaves the window, a timestamptz.
 */
export function valueAndLeavingSql(field: MeasureField, scope: MeasureScope): string {
  const { measure, window } = field;
  const { values } = scope;
  const fields = new EventFields(values);
  const parts = partsOf(measure, fields);
  const value = valueSql(measure.aggregate, (part) => parts[part]);
  const oldest = `min(${stepSql('e."timestamp"', window.unit)}) filter (where ${eventTestToSql(measure, fields)})`;
  const leaves = beginOfStepSql(`${oldest} + ${values.add(window.count, 'integer')} + 1`, window.unit);
  const events = withColumnsSql(eventsOfPersonSql(field, scope, fields), columnsOf(measure, parts));
  return `select ${isOfEvent(measure) ? 'm.value' : boundedSql('m.value')} as value, m.leaves from (
    select ${value} as value, ${leaves} as leaves from ${events}) as m`;
}

/** Which events of a person count, since a time (of all times where it is undefined): milliseconds since 1970. */
interface CountedBy {
  readonly measure: Measure;
  readonly sinceMs: number | undefined;
}

/** A statement that answers the `id`, the `timestamp` and the `value` of the newest events that count, newest first. */
export function countedEventsStatement(
  { measure, sinceMs }: CountedBy,
  subject: string,
  limit: number,
): { readonly text: string; readonly params: readonly unknown[] } {
  const values = new SqlValues();
  const fields = new EventFields(values);
  const since =
    sinceMs === undefined
      ? `'-infinity'::timestamptz`
      : `to_timestamp(${values.add(sinceMs / 1_000, 'float8')})`;
  const found = foundSql(measure, fields);
  const test = eventTestToSql(measure, fields);
  const events = matchingEventsSql({
    subjects: subjectsOfPersonSql(values.text(subject)),
    names: values.add([measure.event], 'text[]'),
    since,
    columns: fields.columns,
  });
  const text = `
    select e.id, e."timestamp", ${found} as value from ${events}
    where ${test} and ${hasValueSql(measure.aggregate, found)}
    order by e."timestamp" desc, e.id desc limit ${values.add(limit, 'integer')}`;
  return { text, params: values.params };
}

/**
 * A statement that answers the `values` of measures of one person now, in their order: a jsonb array, with null where
 * there is no value.
 */
export function valuesNowStatement(
  asked: readonly MeasureField[],
  subject: string,
  nowMs: number,
): { readonly text: string; readonly params: readonly unknown[] } {
  const values = new SqlValues();
  const fields = new EventFields(values);
  const beginOf = ({ window }: MeasureField): number => beginOfWindowMs(window, nowMs);
  const time = (ms: number): string => `to_timestamp(${values.add(ms / 1_000, 'float8')})`;
  const columns: string[] = [];
  const answers = asked.map((field, at) => {
    const { measure } = field;
    const isIn = `e.name = ${values.text(measure.event)} and e."timestamp" >= ${time(beginOf(field))}`;
    const test = `${isIn} and ${eventTestToSql(measure, fields)}`;
    const parts = partsOf(measure, fields, { at, test });
    columns.push(...columnsOf(measure, parts, { at }));
    const value = valueSql(measure.aggregate, (part) => parts[part]);
    return isOfEvent(measure) ? value : `to_jsonb(${boundedSql(value)})`;
  });
  const events = matchingEventsSql({
    subjects: subjectsOfPersonSql(values.text(subject)),
    names: values.add([...new Set(asked.map(({ measure }) => measure.event))], 'text[]'),
    since: time(Math.min(...asked.map(beginOf))),
    columns: fields.columns,
  });
  return {
    text: `select to_jsonb(array[${answers.join(', ')}]) as values from ${withColumnsSql(events, columns)}`,
    params: values.params,
  };
}

/** A statement, of which only whose events are read, and since when, is different each time. */
export interface MeasuredSteps {
  readonly text: string;
  readonly paramsOf: (subjects: readonly string[], firstStep: number) => readonly unknown[];
}

/**
 * A statement that answers the `subject`, the `step` and the `values` of each step with events of the names, the oldest
 * first: for each of the measures, in their order, what is in a `MeasuredStep`.
 */
export function measuredStepsStatement(measures: readonly Measure[], unit: WindowUnit): MeasuredSteps {
  const names = [...new Set(measures.map(({ event }) => event))];
  // $1 and $2 are the people and the first step.
  const values = new SqlValues([undefined, undefined]);
  const fields = new EventFields(values);
  const step = stepSql('e."timestamp"', unit);
  const columns: string[] = [];
  const ofStep: string[] = [];
  const running = measures.map((measure, at) => {
    const ofName = names.length === 1 ? '' : `e.name = ${values.text(measure.event)} and `;
    const parts = partsOf(measure, fields, { at, test: `${ofName}${eventTestToSql(measure, fields)}` });
    if (measure.aggregate === 'unique') columns.push(`${isNewestSql(parts.value, step)} as newest_${at}`);
    columns.push(...columnsOf(measure, parts, { at, root: 's.root' }));
    return valueSql(measure.aggregate, (part) => {
      // A value is counted in its last step: so it is one of the step and all later ones until then.
      const ofPart =
        part === 'different' ? `count(${parts.value}) filter (where e.newest_${at})` : parts[part];
      ofStep.push(`${ofPart} as ${part}_${at}`);
      return `${RUNNING[part]}(d.${part}_${at}) over later`;
    });
  });
  const answers = measures.map((measure, at) =>
    isOfEvent(measure) ? `m.value_${at}` : `to_jsonb(${boundedSql(`m.value_${at}`)})`,
  );
  const events = matchingEventsSql({
    subjects: subjectsOfPeopleSql('$1::text[]'),
    names: values.add(names, 'text[]'),
    since: beginOfStepSql('$2::integer', unit),
    columns: fields.columns,
  });
  const text = `
    select m.subject, m.step, to_jsonb(array[${answers.join(', ')}]) as values from (
      select d.subject, d.step, ${running.map((value, at) => `${value} as value_${at}`).join(', ')}
      from (
        select e.root as subject, e.step, ${ofStep.join(', ')}
        from (select ${['s.root', 'e.*', `${step} as step`, ...columns].join(', ')} from ${events}) as e group by 1, 2
      ) as d
      window later as (partition by d.subject order by d.step desc)
    ) as m order by m.step`;
  const [, , ...others] = values.params;
  return { text, paramsOf: (subjects, firstStep) => [subjects, firstStep, ...others] };
}

function withColumnsSql(events: string, columns: readonly string[]): string {
  return columns.length === 0 ? events : `(select ${['e.*', ...columns].join(', ')} from ${events}) as e`;
}

/** Whether an event is a person's last with its value. */
function isNewestSql(value: string, step: string): string {
  return `row_number() over (partition by s.root, ${value} order by ${step} desc) = 1`;
}

function eventsOfPersonSql(
  { measure: { event }, window }: MeasureField,
  { root, now, values }: MeasureScope,
  { columns }: EventFields,
): string {
  return matchingEventsSql({
    subjects: subjectsOfPersonSql(root),
    names: values.add([event], 'text[]'),
    since: beginOfWindowSql(window, now, values),
    columns,
  });
}
