import { countOfTypeSql } from '../../../profiles/state/day-types';
import { type Field, isCountedByDay, type TraitField } from '../predicate';
import { jsonPathToSql } from './json-path-to-sql';
import { measureToSql } from './measure-to-sql';
import { sequenceToSql } from './sequence-to-sql';
import type { Window } from '../window';
import type { SqlTarget } from './rule-to-sql';
import type { SqlValues } from '../../../language/sql-values';

/**
 * The value of a field, as an expression over a row of `profile`: jsonb for a trait, a jsonb array for a trait of
 * groups, text[] for groups, text[] for segments, timestamptz for a time, numeric for a count, float8 for a measure or
 * jsonb for one that stands in an event, boolean for a sequence. Null when it is not there; a count and a sequence are
 * never null.
 */
export function fieldToSql(field: Field, target: SqlTarget): string {
  const { profile, now, values } = target;
  switch (field.kind) {
    case 'trait':
      return traitToSql(field, `${profile}.traits`, values);
    case 'group_trait':
      return `(select jsonb_agg(v.value) from customer_group g,
        lateral (select ${traitToSql(field, 'g.traits', values)} as value) v
        where g.group_id = any(${profile}.groups) and jsonb_typeof(v.value) <> 'null')`;
    case 'groups':
      return `${profile}.groups`;
    case 'segments':
      return `array(select m.segment_id::text from live_segment_member m where m.subject = ${profile}.subject)`;
    case 'first_seen':
      return `${profile}.first_seen_at`;
    case 'last_seen':
      return `${profile}.last_seen_at`;
    case 'measure':
      if (target.measures !== undefined) return target.measures.valueSql(field, target);
      return measureToSql(field, { root: `${profile}.subject`, now, values });
    case 'sequence':
      return sequenceToSql(field, { root: `${profile}.subject`, now, values });
    case 'event_count': {
      const { event, type, window } = field;
      if (!isCountedByDay(field)) {
        return event === undefined
          ? `${profile}.event_count::numeric`
          : `coalesce((${profile}.event_totals -> ${values.text(event)} ->> 'count')::numeric, 0)`;
      }
      const ofName = event === undefined ? '' : ` and d.name = ${values.text(event)}`;
      const ofDays = window === undefined ? isSinceFirstSeenSql(profile) : isInWindowSql(window, target);
      const count = type === undefined ? 'd.count' : countOfTypeSql('d', type);
      return `coalesce((select sum(${count}) from profile_day d
        where d.subject = ${profile}.subject${ofName} and ${ofDays}), 0)::numeric`;
    }
  }
}

/** True of all days `d` of counts of a profile: partitions of days before are left out by it. */
function isSinceFirstSeenSql(profile: string): string {
  return `d.day >= (${profile}.first_seen_at at time zone 'UTC')::date`;
}

/** Whether a day `d` of counts is in a window of days: `firstStepOf` says the same. */
export function isInWindowSql({ count }: Window, { now, values }: SqlTarget): string {
  return `d.day >= (${now} at time zone 'UTC')::date - ${values.add(count, 'integer')}`;
}

/** A trait in a column of traits; null when it is not there. */
export function traitToSql({ paths }: Pick<TraitField, 'paths'>, traits: string, values: SqlValues): string {
  const each = paths.map((path) => jsonPathToSql(traits, path, values));
  return each.length === 1 ? String(each[0]) : `coalesce(${each.join(', ')})`;
}
