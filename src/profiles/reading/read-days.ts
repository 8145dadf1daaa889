import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { DayTypes } from '../state/day-types';

/** How many events of a name a person had on a day. */
export interface DayRow {
  readonly subject: Subject;
  readonly name: string;
  /** Days since 1970. */
  readonly day: number;
  readonly count: number;
  readonly types: DayTypes;
}

/** Without names ($2 is null): of all events. */
const readDaysSql = prepared('read_profile_days')`
    select subject, name, day - date '1970-01-01' as day, count, types from profile_day
    where subject = any($1::text[]) and ($2::text[] is null or name = any($2)) and day >= date '1970-01-01' + $3::integer`;

/** The counts per day of some people since a day, of these event names or of all (null). */
export function readDays(
  subjects: readonly Subject[],
  names: readonly string[] | null,
  firstDay: number,
  tx: Tx,
): Promise<DayRow[]> {
  return tx.query<DayRow>(readDaysSql, [subjects, names, firstDay]);
}
