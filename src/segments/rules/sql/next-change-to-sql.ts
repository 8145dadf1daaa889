import { type Condition, conditionsOf, type Predicate } from '../predicate';
import { beginOfStepSql } from '../window';
import { fieldToSql, isInWindowSql } from './field-to-sql';
import { nextSpanBoundSql } from './sequence-to-sql';
import type { JoinedMeasures } from './joined-measures';
import { conditionToSql, type SqlTarget } from './rule-to-sql';

type MeasuredTarget = SqlTarget & { readonly measures: JoinedMeasures };

/**
 * An SQL expression for when the verdict may change with no event, or null: never later than `compileNextChange` says,
 * and seldom earlier. A person who is evaluated too early just gets the exact time then. Undefined for a predicate that
 * time alone does not change.
 */
export function nextChangeToSql(predicate: Predicate, target: MeasuredTarget): string | undefined {
  const changes = conditionsOf(predicate)
    .map((condition) => conditionChangeToSql(condition, target))
    .filter((change) => change !== undefined);
  return changes.length === 0 ? undefined : `least(${changes.join(', ')})`;
}

function conditionChangeToSql(condition: Condition, target: MeasuredTarget): string | undefined {
  const { field, comparand } = condition;
  const { now, values } = target;
  if (comparand.kind === 'ago') {
    const passes = `(${fieldToSql(field, target)} + make_interval(secs => ${values.add((comparand.ms + 1) / 1000, 'float8')}))`;
    return `case when ${passes} > ${now} then ${passes} end`;
  }
  if (field.kind === 'measure') {
    return target.measures.leavesSql(field, target);
  }
  if (field.kind === 'sequence') {
    return nextSpanBoundSql(field, { root: `${target.profile}.subject`, now, values });
  }
  if (field.kind !== 'event_count' || field.window === undefined) return undefined;
  const { unit, count } = field.window;
  const ofName = field.event === undefined ? '' : ` and d.name = ${values.text(field.event)}`;
  const leaves = beginOfStepSql(`min(d.day) - date '1970-01-01' + ${values.add(count, 'integer')} + 1`, unit);
  const oldestLeaves = `(select ${leaves} from profile_day d
    where d.subject = ${target.profile}.subject${ofName} and ${isInWindowSql(field.window, target)})`;
  return `case when ${mayChange(condition, target)} then ${oldestLeaves} end`;
}

/** Counts only go down as time passes, so a lower bound can only be lost, an upper bound only be met. */
function mayChange(condition: Condition, target: SqlTarget): string {
  switch (condition.operator) {
    case 'gt':
    case 'gte':
      return conditionToSql(condition, target);
    case 'lt':
    case 'lte':
      return `not ${conditionToSql(condition, target)}`;
    default:
      return 'true';
  }
}
