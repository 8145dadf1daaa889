import { prepared } from '../../platform/database/statements/prepared';

/**
 * Events by their keys ($1 subjects, $2 timestamps, $3 ids), in the order of the keys. $4 and $5 are the lowest and
 * the highest id: with them PostgreSQL leaves out all partitions that hold none. The lateral join with its limit
 * makes it look up one key after the other, whatever it takes the tables' sizes for. The payloads of the first have $6
 * bytes together, or are one payload; those of the others are null.
 */
export const readEventsSql = prepared('read_events')`
    select e.id, e.source_id, e.subject,
      case when sum(e.bytes) over before <= $6 or sum(e.bytes) over before = e.bytes then e.payload end as payload
    from unnest($1::text[], $2::timestamptz[], $3::uuid[]) with ordinality as k(subject, "timestamp", id, position)
    cross join lateral (
      select e.id, e.source_id, e.subject, e.payload::text as payload, octet_length(e.payload::text) as bytes
      from event as e
      where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id and e.id between $4 and $5
      limit 1
    ) as e
    window before as (order by k.position rows unbounded preceding)
    order by k.position`;

/** Deletes events by their keys: $1 subjects, $2 timestamps, $3 ids. */
export const deleteEventsSql = prepared('delete_events')`
    delete from event as e using unnest($1::text[], $2::timestamptz[], $3::uuid[]) as k(subject, "timestamp", id)
    where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id`;
