import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { CustomerEvent, Subject } from '../customer-event';

/** Looks into the primary key, one for each subject and time (and partition). */
const MAX_LOOKS = 20_000;
/** Of the same times, of which one each is looked for. */
const MAX_EVENTS = 2_000;
/** Events of a person that are gone through, the earliest first. */
const MAX_WALKED = 10_000;

interface EventRow {
  readonly id: string;
  readonly sourceId: string;
  readonly subject: Subject;
  readonly payload: string;
}

interface LinkRow extends EventRow {
  readonly linked: Subject;
}

const readEventsAtSql = prepared('read_events_at')`
    select e.id, e.source_id as "sourceId", e.subject, e.payload::text as payload
    from event as e where e.subject = any($1::text[]) and e."timestamp" = any($2::timestamptz[]) limit ${MAX_EVENTS}`;

/** Of each subject in $2 the first event of the users $1 that says that it is the same person. */
const findLinkingEventsSql = prepared('find_linking_events')`
    select distinct on (l.linked) l.linked, e.id, e.source_id as "sourceId", e.subject, e.payload::text as payload
    from unnest($1::text[]) as s(subject)
    cross join lateral (
      select e.id, e.source_id, e.subject, e.type, e.payload from event as e
      where e.subject = s.subject order by e."timestamp", e.id limit $3
    ) as e
    cross join lateral (
      select 'a:' || (e.payload ->> 'anonymousId') as linked
      union all
      select kind || (e.payload ->> 'previousId') from unnest(array['a:', 'u:']) as kind where e.type = 'alias'
    ) as l
    where l.linked = any($2::text[])
    order by l.linked, e.id`;

/**
 * The events of a person that happened at these times, in milliseconds since 1970; of very many at the first of them.
 */
export async function readEventsAt(
  subjects: readonly Subject[],
  timesMs: readonly number[],
  tx: Tx,
): Promise<CustomerEvent[]> {
  const times = timesMs.slice(0, Math.ceil(MAX_LOOKS / Math.max(1, subjects.length)));
  if (times.length === 0) return [];
  const rows = await tx.query<EventRow>(readEventsAtSql, [
    subjects,
    times.map((ms) => new Date(ms).toISOString()),
  ]);
  return rows.map(toEvent);
}

/**
 * The events that linked ids to users: an anonymousId beside a userId, or an alias. An id has none when its event is
 * not stored any more, or comes after ten thousand others of the person.
 */
export async function findLinkingEvents(
  users: readonly Subject[],
  linked: readonly Subject[],
  tx: Tx,
): Promise<Map<Subject, CustomerEvent>> {
  if (users.length === 0 || linked.length === 0) return new Map();
  const rows = await tx.query<LinkRow>(findLinkingEventsSql, [
    users,
    linked,
    Math.ceil(MAX_WALKED / users.length),
  ]);
  return new Map(rows.map((row) => [row.linked, toEvent(row)]));
}

function toEvent({ id, sourceId, subject, payload }: EventRow): CustomerEvent {
  // Written by this service after `parseEvent`.
  return Object.assign(JSON.parse(payload) as CustomerEvent, { id, sourceId, subject });
}
