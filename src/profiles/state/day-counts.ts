import { type CustomerEvent, EVENT_TYPES, eventName, type Subject } from '../../events/customer-event';
import { DAY_MS } from '../../events/partitions/partition-plan';
import { intArray, textArray } from '../../platform/database/statements/binary-arrays';
import type { OpenTransaction, PreparedStatement } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { countsOfTypes, typeSaidBy } from './day-types';

/** How many events of a name a person had on a day (days since 1970 in UTC). */
export interface DayCount {
  readonly subject: Subject;
  readonly name: string;
  readonly day: number;
  count: number;
  /** Null, or not there, while all are of the type that the name says; see {@link countsOfTypes}. */
  types?: number[] | null;
}

/** The day of a time in milliseconds: days since 1970 in UTC. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

const insertDayCountsSql = `
    insert into profile_day as p (subject, name, day, count, types)
    select s, n, date '1970-01-01' + d, c, t::int[]
    from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[]) as r(s, n, d, c, t)`;

const onConflictAddSql = `
    on conflict (subject, name, day) do update set
      count = p.count + excluded.count,
      types = case when p.types is not null or excluded.types is not null then profile_add_day_types(
        profile_day_types(p.name, p.count, p.types),
        profile_day_types(p.name, excluded.count, excluded.types)) end`;

const addDayCountsSql = prepared('add_day_counts')`${insertDayCountsSql}${onConflictAddSql}`;

const startDayCountsSql = prepared('start_day_counts')`${insertDayCountsSql}`;

const moveDayCountsSql = prepared('move_day_counts')`
    with moved as (
      delete from profile_day where subject = any($1::text[]) and day >= date '1970-01-01' + $3::int
      returning subject, name, day, count, types
    )
    insert into profile_day as p (subject, name, day, count, types)
    select f.root, m.name, m.day, sum(m.count),
      case when count(m.types) > 0 then profile_sum_day_types(profile_day_types(m.name, m.count, m.types)) end
    from moved as m join unnest($1::text[], $2::text[]) as f(subject, root) on f.subject = m.subject
    group by 1, 2, 3${onConflictAddSql}`;

const dropUncountedDaysSql = prepared('drop_uncounted_days')`
    delete from profile_day as d using profile as p
    where p.subject = any($1::text[]) and d.subject = p.subject and not p.event_totals ? d.name`;

/** Counts events per person, name and day; `personOf` says whose they are. */
export function countDays(
  events: readonly CustomerEvent[],
  personOf: (event: CustomerEvent) => Subject,
): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const event of events) {
    const subject = personOf(event);
    const name = eventName(event);
    const day = dayOf(Date.parse(event.timestamp));
    const key = `${day} ${subject.length} ${subject} ${name}`;
    const count = counts.get(key) ?? { subject, name, day, count: 0 };
    counts.set(key, count);
    addOne(count, event);
  }
  return [...counts.values()];
}

function addOne(count: DayCount, { type }: CustomerEvent): void {
  if (type !== typeSaidBy(count.name)) {
    count.types ??= countsOfTypes(count.name, count.count, null);
  }
  count.count += 1;
  if (!count.types) return;
  const index = EVENT_TYPES.indexOf(type);
  count.types[index] = (count.types[index] ?? 0) + 1;
}

/**
 * Adds counts. The caller holds the locks of the profiles, so two of these never wait for each other. `isNew` says
 * which profiles can have no counts yet, and so need no looking up.
 */
export function addDayCounts(
  counts: readonly DayCount[],
  isNew: (subject: Subject) => boolean,
  tx: OpenTransaction,
): void {
  const fresh = counts.filter(({ subject }) => isNew(subject));
  const others = counts.filter(({ subject }) => !isNew(subject));
  sendCounts(startDayCountsSql, fresh, tx);
  sendCounts(addDayCountsSql, others, tx);
}

function sendCounts(statement: PreparedStatement, counts: readonly DayCount[], tx: OpenTransaction): void {
  if (counts.length === 0) return;
  tx.send(statement, [
    textArray(counts.map(({ subject }) => subject)),
    textArray(counts.map(({ name }) => name)),
    intArray(counts.map(({ day }) => day)),
    intArray(counts.map(({ count }) => count)),
    textArray(counts.map(({ types }) => (types ? `{${types.join()}}` : undefined))),
  ]);
}

/** Moves the counts of folded profiles to the profiles they went into; none of them has any of before `firstDay`. */
export function moveDayCounts(
  folds: ReadonlyMap<Subject, Subject>,
  firstDay: number,
  tx: OpenTransaction,
): void {
  if (folds.size > 0) tx.send(moveDayCountsSql, [[...folds.keys()], [...folds.values()], firstDay]);
}

/** Drops the counts under names that the profiles do not count: those that came with a fold and found no room. */
export function dropUncountedDays(subjects: readonly Subject[], tx: OpenTransaction): void {
  if (subjects.length > 0) tx.send(dropUncountedDaysSql, [subjects]);
}
