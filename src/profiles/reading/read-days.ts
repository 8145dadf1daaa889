import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import type { DayCount } from '../state/day-counts';

/** Some days of a person, as days since 1970. */
export interface AskedDays {
  readonly subject: Subject;
  /** Undefined: the events of all names. */
  readonly name: string | undefined;
  readonly firstDay: number;
  /** The first one after them; undefined: all that come. */
  readonly endDay: number | undefined;
}

const askedDaysSql = (isNamed: string): string => `
    select subject, name, day - date '1970-01-01' as day, count, types from profile_day
    where ${isNamed} and subject = asked.subject and day >= date '1970-01-01' + asked.first_day
      and day < coalesce(date '1970-01-01' + asked.end_day, 'infinity')`;

/** One look into the index for each of the asked: in one of the two parts nothing is looked at. */
const readDaysSql = prepared('read_profile_days')`
    select d.* from unnest(${unplannedList('$1', 'text')}, $2::text[], $3::integer[], $4::integer[])
      as asked (subject, name, first_day, end_day)
    cross join lateral (
      ${askedDaysSql('name = asked.name')}
      union all
      ${askedDaysSql('asked.name is null')}
    ) as d`;

/** Counts per day. A day that is asked for twice, by its name and among all, is answered twice. */
export function readDays(asked: readonly AskedDays[], tx: Tx): Promise<DayCount[]> {
  return tx.query<DayCount>(readDaysSql, [
    asked.map(({ subject }) => subject),
    asked.map(({ name }) => name),
    asked.map(({ firstDay }) => firstDay),
    asked.map(({ endDay }) => endDay),
  ]);
}
