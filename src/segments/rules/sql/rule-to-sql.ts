import type { JoinedMeasures } from './joined-measures';
import { fieldToSql, traitToSql } from './field-to-sql';
import { groupTestOf } from '../group-test';
import { parseTimestamp } from '../../../events/parse-timestamp';
import { timestampToSql } from '../../../language/timestamp-to-sql';
import { comparisonOf, jsonTestToSql, timeTestToSql } from '../../../language/operator-to-sql';
import { isOfEvent } from '../measure';
import { type Condition, type Predicate, type TraitField } from '../predicate';
import { listOf, textOf } from '../../../language/comparand';
import type { SqlValues } from '../../../language/sql-values';

/** What a compiled predicate refers to. */
export interface SqlTarget {
  /** Alias of the profile table in the statement around it. */
  readonly profile: string;
  /** An SQL expression of type timestamptz that stands for now. */
  readonly now: string;
  readonly values: SqlValues;
  /** Measures that are joined to the profile; where there are none, each is read where it is asked about. */
  readonly measures?: JoinedMeasures;
}

/**
 * The same meaning as `compilePredicate`, as a condition over a row of `profile`. It is true or false, never null.
 * A property-based test holds the two together.
 */
export function predicateToSql(predicate: Predicate, target: SqlTarget): string {
  switch (predicate.kind) {
    case 'condition':
      return conditionToSql(predicate, target);
    case 'not':
      return `not ${predicateToSql(predicate.of, target)}`;
    case 'all':
    case 'any': {
      if (predicate.of.length === 0) return 'true';
      const joint = predicate.kind === 'all' ? ' and ' : ' or ';
      return `(${predicate.of.map((part) => predicateToSql(part, target)).join(joint)})`;
    }
  }
}

export function conditionToSql(condition: Condition, target: SqlTarget): string {
  const { field, operator, comparand } = condition;
  const { values } = target;
  if (field.kind === 'segments') return membershipToSql(condition, target);
  if (field.kind === 'group_trait') return groupTraitToSql(condition, field, target);
  const column = fieldToSql(field, target);
  switch (field.kind) {
    case 'trait':
      return jsonTestToSql(column, condition, values);
    case 'groups':
      // Groups are compared as an array of strings would be.
      return jsonTestToSql(`to_jsonb(nullif(${column}, '{}'))`, condition, values);
    case 'first_seen':
    case 'last_seen': {
      const at =
        comparand.kind === 'ago'
          ? `(${target.now} - make_interval(secs => ${values.add(comparand.ms / 1000, 'float8')}))`
          : values.add(timestampToSql(parseTimestamp(textOf(comparand)) ?? Number.NaN), 'timestamptz');
      return timeTestToSql(column, operator, at);
    }
    case 'event_count':
      return countTestToSql(column, condition, values);
    case 'measure':
      return isOfEvent(field.measure)
        ? jsonTestToSql(column, condition, values)
        : measureTestToSql(column, condition, values);
    case 'sequence':
      return column;
  }
}

/** What `compileGroupTest` says, in SQL. */
function groupTraitToSql(condition: Condition, field: TraitField, { profile, values }: SqlTarget): string {
  const { operator, ofNone, negated } = groupTestOf(condition.operator, condition.comparand);
  const value = traitToSql(field, 'g.traits', values);
  const inGroup = (test: string): string =>
    `exists (select from customer_group g where g.group_id = any(${profile}.groups) and ${test})`;
  const isThere = jsonTestToSql(value, { operator: 'exists', comparand: { kind: 'none' } }, values);
  const holds = inGroup(`${isThere} and ${jsonTestToSql(value, { ...condition, operator }, values)}`);
  const verdict = ofNone ? `(${holds} or not ${inGroup(isThere)})` : holds;
  return negated ? `not ${verdict}` : verdict;
}

/** The members as they are now: a change of the other segment has the segments evaluated that ask about it. */
function membershipToSql({ operator, comparand }: Condition, { profile, values }: SqlTarget): string {
  const isMember = `exists (select from segment_member m where m.subject = ${profile}.subject and m.member
    and m.generation = (select s.live_generation from segment s where s.id = ${values.add(textOf(comparand), 'uuid')}))`;
  return operator === 'not_contains' ? `not ${isMember}` : isMember;
}

function countTestToSql(count: string, { operator, comparand }: Condition, values: SqlValues): string {
  if (comparand.kind === 'list') {
    const test = `${count} = any(${values.add(
      listOf(comparand).map((value) => JSON.stringify(value)),
      'numeric[]',
    )})`;
    return operator === 'not_in' ? `not (${test})` : `(${test})`;
  }
  const bound = values.add(textOf(comparand), 'numeric');
  return `(${count} ${comparisonOf(operator)} ${bound})`;
}

/** A value that is not there equals nothing, and has no order. */
function measureTestToSql(value: string, { operator, comparand }: Condition, values: SqlValues): string {
  const isNegated = operator === 'neq' || operator === 'not_in';
  if (comparand.kind === 'list') {
    const numbers = listOf(comparand).map((each) => JSON.stringify(each));
    const isIn = `coalesce(${value} = any(${values.add(numbers, 'float8[]')}), false)`;
    return isNegated ? `not ${isIn}` : isIn;
  }
  const bound = values.add(textOf(comparand), 'float8');
  return `coalesce(${value} ${comparisonOf(operator)} ${bound}, ${isNegated})`;
}
