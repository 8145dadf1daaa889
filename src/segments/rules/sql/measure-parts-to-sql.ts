import { MAX_STRING_LENGTH } from '../../../language/limits';
import type { EventFields } from './event-fields';
import { eventTestToSql } from './event-test-to-sql';
import type { Aggregate, Measure } from '../measure';
import { PLACE, PLACE_LENGTH, STANDING_LENGTH, standingSql } from './standing-to-sql';

/**
 * What is known of the events that count: how many they are, how many different values and numbers they have, what
 * these come to, and the first, the last and the most frequent value, each behind what it is that by.
 */
type Part = 'events' | 'different' | 'numbers' | 'sum' | 'min' | 'max' | 'first' | 'last' | 'frequent';

/** How the parts of steps are put together. */
export const RUNNING: Readonly<Record<Part, string>> = {
  events: 'sum',
  different: 'sum',
  numbers: 'sum',
  sum: 'sum',
  min: 'min',
  max: 'max',
  first: 'min',
  last: 'max',
  frequent: 'max',
};

/** Each part, the value of an event that counts, null where it has none, and the same if rules may compare it. */
type Parts = Readonly<Record<Part | 'value' | 'scalar', string>>;

/**
 * @param at the place of the measure in the statement
 * @param test whether an event counts
 */
export function partsOf(
  measure: Measure,
  fields: EventFields,
  { at = 0, test = eventTestToSql(measure, fields) }: { readonly at?: number; readonly test?: string } = {},
): Parts {
  const counts = `filter (where ${test})`;
  const found = foundSql(measure, fields);
  const number = numberSql(found);
  const value = `case when ${test} then nullif(${found}, 'null') end`;
  const scalar = `case when ${test} then ${scalarSql(found)} end`;
  const placed = `(${PLACE} || (${scalar})::text) collate "C"`;
  return {
    value,
    scalar,
    different: `count(distinct ${value})`,
    events: `count(*) ${counts}`,
    numbers: `count(${number}) ${counts}`,
    sum: `sum(${number}) ${counts}`,
    min: `min(${number}) ${counts}`,
    max: `max(${number}) ${counts}`,
    first: `min(${placed})`,
    last: `max(${placed})`,
    frequent: `max(e.standing_${at})`,
  };
}

/**
 * What a measure needs to know of each event that is about the events after it.
 * @param root whose event it is; empty where all are of one person
 */
export function columnsOf(
  { aggregate }: Measure,
  { scalar }: Parts,
  { at = 0, root = '' }: { readonly at?: number; readonly root?: string } = {},
): string[] {
  if (aggregate !== 'most_frequent') return [];
  return [`${standingSql(scalar, root === '' ? [scalar] : [root, scalar])} as standing_${at}`];
}

/** What stands in an event where the measure looks, as jsonb. */
export function foundSql({ of }: Measure, fields: EventFields): string {
  return of === undefined ? 'null::jsonb' : fields.valueAt(of);
}

/** Whether what was found in an event is a value of the aggregate: others are left out of it. */
export function hasValueSql(aggregate: Aggregate, found: string): string {
  switch (aggregate) {
    case 'count':
      return 'true';
    case 'unique':
      return `nullif(${found}, 'null') is not null`;
    case 'sum':
    case 'min':
    case 'max':
    case 'avg':
      return `${numberSql(found)} is not null`;
    case 'first':
    case 'last':
    case 'most_frequent':
      return `${scalarSql(found)} is not null`;
  }
}

/** A number in an event, a numeric; null for anything else. */
function numberSql(found: string): string {
  return `case when jsonb_typeof(${found}) = 'number' then (${found})::numeric end`;
}

export function valueSql(aggregate: Aggregate, part: (name: Part) => string): string {
  switch (aggregate) {
    case 'count':
      return `(${part('events')})::numeric`;
    case 'unique':
      return `(${part('different')})::numeric`;
    case 'sum':
      return `coalesce(${part('sum')}, 0)`;
    case 'min':
    case 'max':
      return part(aggregate);
    case 'avg':
      return `${part('sum')} / nullif(${part('numbers')}, 0)`;
    case 'first':
    case 'last':
      return `substr(${part(aggregate)}, ${PLACE_LENGTH + 1})::jsonb`;
    case 'most_frequent':
      return `substr(${part('frequent')}, ${STANDING_LENGTH + 1})::jsonb`;
  }
}

/** A value that rules may compare, with numbers as doubles; null for any other. */
function scalarSql(found: string): string {
  return `case jsonb_typeof(${found})
    when 'number' then to_jsonb(${boundedSql(`(${found})::numeric`)})
    when 'boolean' then ${found}
    when 'string' then case when char_length(${found} #>> '{}') <= ${MAX_STRING_LENGTH} then ${found} end
  end`;
}

/** Digits behind the point that are kept, and the largest number: within both every numeric is a float8. */
const MAX_DECIMALS = 30;
const LARGEST = '1e300';

export function boundedSql(value: string): string {
  return `case when abs(${value}) > ${LARGEST} then sign(${value}) * ${LARGEST} else round(${value}, ${MAX_DECIMALS}) end::float8`;
}
