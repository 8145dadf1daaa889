import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { rangeOfIds } from '../../platform/database/statements/range-of-ids';
import type { Subject } from '../customer-event';

/** Which event; see `read-events.ts` for how the partitions and the index are found. */
export interface EventReference {
  readonly subject: Subject;
  readonly timestamp: Date;
  readonly id: string;
}

const readEventNamesSql = prepared('read_event_names')`
    select k.id, e.name
    from unnest($1::text[], $2::timestamptz[], $3::uuid[]) as k(subject, "timestamp", id)
    cross join lateral (
      select e.name from event as e
      where e.subject = k.subject and e."timestamp" = k."timestamp" and e.id = k.id and e.id between $4 and $5
      limit 1
    ) as e
    where e.name is not null`;

/** The names of events by id, for those that are stored and have one. */
export async function readEventNames(
  events: readonly EventReference[],
  tx: Tx,
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const ids = events.map(({ id }) => id);
  const rows = await tx.query<{ id: string; name: string }>(readEventNamesSql, [
    events.map(({ subject }) => subject),
    events.map(({ timestamp }) => timestamp),
    ids,
    ...rangeOfIds(ids),
  ]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
