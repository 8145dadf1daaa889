import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { CustomerEvent, EventType, Subject } from '../customer-event';
import { HIGHEST_ID } from '../partitions/partition-plan';

/** The place of an event among those of a person. */
export interface EventPosition {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly id: string;
}

/** Which events of a person; times are ISO 8601. */
interface EventFilter {
  readonly limit: number;
  readonly before?: EventPosition | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly type?: EventType | undefined;
  readonly event?: string | undefined;
}

interface StoredPersonEvent {
  readonly id: string;
  readonly event: CustomerEvent;
}

/** Where a page ends: an event may have 32 KB, or more where that is configured. One is read however large it is. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Events of the subjects $1, newest first, at most $2, before the position ($3, $4), at $5 or later, before $6, of type
 * $7, named $8. Each subject is a walk along the primary key, so the cost is that of one page, and of one event more,
 * which tells whether there are any.
 */
const readPersonEventsSql = prepared('read_profile_events')`
    with found as materialized (
      select e.id, e."timestamp", e.payload::text as payload
      from unnest($1::text[]) as s(subject)
      cross join lateral (
        select e.id, e."timestamp", e.payload
        from event as e
        where e.subject = s.subject
          and (e."timestamp", e.id) < ($3::timestamptz, $4::uuid)
          and e."timestamp" >= $5::timestamptz and e."timestamp" < $6::timestamptz
          and ($7::text is null or e.type = $7)
          and ($8::text is null or coalesce(e.name, e.type) = $8)
        order by e."timestamp" desc, e.id desc
        limit $2 + 1
      ) as e
      order by e."timestamp" desc, e.id desc
      limit $2 + 1
    ), placed as (
      select *, row_number() over newest as place, lead(id) over newest is not null as more,
        sum(octet_length(payload)) over newest - octet_length(payload) as before
      from found window newest as (order by "timestamp" desc, id desc)
    )
    select id, payload, more from placed where place <= $2 and before < ${MAX_PAGE_BYTES} order by place`;

/** The events of one person, whose subjects these are, newest first; `more` where there are others behind them. */
export async function readPersonEvents(
  subjects: readonly Subject[],
  filter: EventFilter,
  tx: Tx,
): Promise<{ readonly events: StoredPersonEvent[]; readonly more: boolean }> {
  const rows = await tx.query<{ id: string; payload: string; more: boolean }>(readPersonEventsSql, [
    subjects,
    filter.limit,
    filter.before?.timestamp ?? 'infinity',
    filter.before?.id ?? HIGHEST_ID,
    filter.from ?? '-infinity',
    filter.to ?? 'infinity',
    filter.type ?? null,
    filter.event ?? null,
  ]);
  // Written by this service after `parseEvent`.
  const events = rows.map(({ id, payload }) => ({ id, event: JSON.parse(payload) as CustomerEvent }));
  return { events, more: rows.at(-1)?.more === true };
}
