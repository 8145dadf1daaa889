import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import type { DayCount } from '../state/day-counts';

/** Without names ($2 is null): of all events. */
const readDaysSql = prepared('read_profile_days')`
    select subject, name, day - date '1970-01-01' as day, count, types from profile_day
    where subject = any(${unplannedList('$1', 'text')}) and ($2::text[] is null or name = any(${unplannedList('$2', 'text')})) and day >= date '1970-01-01' + $3::integer`;

/** The counts per day of some people since a day, of these event names or of all (null). */
export function readDays(
  subjects: readonly Subject[],
  names: readonly string[] | null,
  firstDay: number,
  tx: Tx,
): Promise<DayCount[]> {
  return tx.query<DayCount>(readDaysSql, [subjects, names, firstDay]);
}
