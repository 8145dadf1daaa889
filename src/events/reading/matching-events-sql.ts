import { lowestIdSql } from '../event-time';

/** Of a subject: whoever sends millions for one must not hold up what all others did. Some 0.1 s. */
export const NEWEST_EVENTS = 20_000;

/** Which stored events; each member is an SQL expression. */
interface MatchingEvents {
  /** A query with the column `subject`. */
  readonly subjects: string;
  /** A text[]. */
  readonly names: string;
  /** The time of the first of them, a timestamptz. */
  readonly since: string;
  /** Further columns, made of the others. */
  readonly columns?: readonly string[];
}

/**
 * What stands behind `from` to see stored events, of the newest 20,000 of each subject: the columns of `subjects` as
 * `s`, and of each event as `e` its `timestamp`, `id`, `name` and `type`, its `payload` as jsonb, null where a number
 * in it has too many digits, and the further `columns`. Each subject is a walk along the primary key of each partition
 * that can have them.
 */
export function matchingEventsSql({ subjects, names, since, columns = [] }: MatchingEvents): string {
  // With an offset the payload is read once, and only of events with one of the names, and so is each column.
  return `(${subjects}) as s cross join lateral (
    select ${['"timestamp", id, name, type, payload', ...columns].join(', ')} from (
      select e."timestamp", e.id, coalesce(e.name, e.type) as name, e.type, event_content(e.payload) as payload
      from (
        select id, type, name, "timestamp", payload from event as stored
        where stored.subject = s.subject and stored."timestamp" >= ${since} and stored.id >= ${lowestIdSql(since)}
        order by stored."timestamp" desc, stored.id desc limit ${NEWEST_EVENTS}) as e
      where coalesce(e.name, e.type) = any(${names})
      offset 0) as e
    offset 0) as e`;
}
