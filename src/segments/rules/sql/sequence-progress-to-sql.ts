import { SqlValues } from '../../../language/sql-values';
import { partsOf, type Sequence } from '../sequence';
import {
  beginsSql,
  chainsSql,
  columnOf,
  endsSql,
  eventsSql,
  isFollowedSql,
  timeSql,
} from './sequence-to-sql';
import { beginOfWindowMs } from '../window';

/** How far the events of a person go along a sequence. */
export interface ProgressRow {
  /** Of the steps, one event each, in order. */
  readonly ids: readonly string[];
  readonly times: readonly Date[];
  readonly holds: boolean;
  /** What does not follow came in its time. */
  readonly isFollowed: boolean;
  /** When the first event leaves the window. */
  readonly leavesAt: Date;
  /** The first event after these that the next part of the sequence looks for. */
  readonly nextId: string | null;
  readonly nextAt: Date | null;
}

/**
 * A statement that answers the `ProgressRow` of one way through the events of a person; none where no event is a first
 * step.
 *
 * It is the way that goes furthest. Of several that have all steps it is one that holds, or else one that will when the
 * time of `not` is over; of several such, and of all others, the newest: it is the one with the most time left. Before
 * an event of a way comes the last event of the step before, as in `chainsSql`.
 */
export function progressStatement(
  sequence: Sequence,
  { subject, nowMs }: { readonly subject: string; readonly nowMs: number },
): { readonly text: string; readonly params: readonly unknown[] } {
  const { steps, absent, window } = sequence;
  const values = new SqlValues();
  const now = timeSql(nowMs, values);
  const since = timeSql(beginOfWindowMs(window, nowMs), values);
  const events = eventsSql([sequence], { roots: values.add([subject], 'text[]'), since, values });
  const chains = chainsSql(sequence, { index: 0, since, values }, `(${events})`);
  const parts = partsOf(sequence).map((_, part) => `e.${columnOf(0, part)}`);
  const starts = steps.map((_, step) => `e.start_${step}`);
  const reached = starts.map((start, step) => `when ${start} is not null then ${step + 1}`).toReversed();
  const isFollowed = absent === undefined ? 'false' : isFollowedSql(absent, values);
  const text = `
    with recursive chain as materialized (
      select e.*, array[${starts.join(', ')}] as starts, array[${parts.join(', ')}] as is_part,
        case ${reached.join(' ')} else 0 end as reached
      from (${chains}) as e
    ), ending as (
      select e.id, e.at, e.reached, e.reached = ${steps.length} as is_whole,
        e.reached = ${steps.length} and ${isFollowed} as is_followed,
        ${beginsSql(absent, values)} as begins, ${endsSql('e.starts[e.reached]', window, values)} as leaves
      from chain as e where e.reached > 0
    ), hopeful as (
      select *, is_whole and not is_followed and begins < leaves as can_hold from ending
    ), furthest as (
      select *, can_hold and begins <= ${now} as holds from hopeful
      order by reached desc, can_hold desc, holds desc, at desc, id desc limit 1
    ), way as (
      select reached as step, id, at from furthest
      union all
      select way.step - 1, before.id, before.at from way cross join lateral (
        select e.id, e.at from chain as e
        where e.starts[way.step - 1] is not null and (e.at, e.id) < (way.at, way.id)
        order by e.at desc, e.id desc limit 1) as before
      where way.step > 1
    )
    select array(select id from way order by step) as ids, array(select at from way order by step) as times,
      f.holds, f.is_followed as "isFollowed", f.leaves as "leavesAt", next.id as "nextId", next.at as "nextAt"
    from furthest as f left join lateral (
      select e.id, e.at from chain as e
      where e.is_part[f.reached + 1] and (e.at, e.id) > (f.at, f.id)
      order by e.at, e.id limit 1) as next on true`;
  return { text, params: values.params };
}
