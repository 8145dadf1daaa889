import type { PreparedStatement } from '../platform/database/database';

/**
 * Events by their keys ($1 subjects, $2 timestamps, $3 ids), in the order of the keys. $4 and $5 are the lowest and
 * the highest id: with them PostgreSQL leaves out all partitions that hold none. The lateral join with its limit
 * makes it look up one key after the other, whatever it takes the tables' sizes for.
 */
export const readEventsStatement: PreparedStatement = {
  name: 'read_events',
  text: `
    select e.id, e.source_id, e.subject, e.payload
    from unnest($1::text[], $2::timestamptz[], $3::uuid[]) with ordinality as k(subject, "timestamp", id, position)
    cross join lateral (
      select e.id, e.source_id, e.subject, e.payload::text as payload
      from event as e
      where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id and e.id between $4 and $5
      limit 1
    ) as e
    order by k.position`,
};

/** Deletes events by their keys: $1 subjects, $2 timestamps, $3 ids. */
export const deleteEventsStatement: PreparedStatement = {
  name: 'delete_events',
  text: `
    delete from event as e using unnest($1::text[], $2::timestamptz[], $3::uuid[]) as k(subject, "timestamp", id)
    where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id`,
};
