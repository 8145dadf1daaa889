import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { Subject } from '../customer-event';
import { somebodyListens } from '../tail/tail-listeners';

/** One thing that is wrong with an event, as its answer said. */
export interface RejectedProblem {
  readonly code: string;
  /** A member of the event; empty is the event as a whole. */
  readonly path: string;
  readonly message: string;
  /** Of JSON Schema, and the rule that has it: of a tracking plan. */
  readonly keyword?: string;
  readonly rule?: string;
}

/** An event that was not accepted. */
export interface RejectionToKeep {
  /** By PostgreSQL's clock: its time is that of the rejection. */
  readonly id: string;
  readonly problems: readonly RejectedProblem[];
  readonly messageId: string | undefined;
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly subjects: readonly Subject[];
  readonly library: string | undefined;
  readonly libraryVersion: string | undefined;
  readonly payload: string;
}

/** Rejected events of a source with the same first problem. */
export interface Rejections {
  readonly sourceId: string;
  readonly code: string;
  readonly path: string;
  /** How many there were; `events` are some of them. */
  readonly count: number;
  readonly events: readonly RejectionToKeep[];
}

/** Events of a source that are kept for each first problem (code and path) and hour; the others are counted. */
export const KEPT_PER_HOUR = 100;

// Sorted, so that two processes that count the same wait for each other but never in a circle.
const keepRejectedSql = prepared('keep_rejected_events')`
    with given as materialized (
      select * from json_to_recordset($1::json) as g("sourceId" uuid, code text, path text, count bigint, events json)
    ), forgotten as (
      delete from rejected_count where hour < now() - make_interval(days => $2)
    ), counted as (
      insert into rejected_count as c (source_id, hour, code, path, count)
      select "sourceId", date_trunc('hour', now()), code, path, count from given order by 1, 3, 4
      on conflict (source_id, hour, code, path) do update set count = c.count + excluded.count
      returning source_id, code, path, count as total
    ), noted as materialized (
      select g."sourceId", c.total - g.count + e.n as position,
        case when e.n = 1 then g.count - json_array_length(g.events) else 0 end as others, e.*
      from given g
      join counted c on c.source_id = g."sourceId" and c.code = g.code and c.path = g.path
      cross join lateral json_to_recordset(g.events) as e(id uuid, n int, codes text[], paths text[],
        problems json, "messageId" text, type text, name text, subjects text[], library text, "libraryVersion" text, payload text)
    ), news as materialized (
      select id, subjects, to_json(noted) as rejected from noted where ${somebodyListens}
    ), told as (
      insert into tail_entry (id, subjects, rejected) select id, subjects, rejected from news
    )
    insert into rejected_event
      (id, source_id, codes, paths, problems, message_id, type, name, subjects, library, library_version, payload)
    select id, "sourceId", codes, paths, problems, "messageId", type, name, subjects, library, "libraryVersion", payload
    from noted where position <= ${KEPT_PER_HOUR}`;

/**
 * Counts rejections, and keeps as many of the events as there is room for. Who listens to the tail is told of all.
 * @param retentionDays for which counts are kept
 */
export async function keepRejectedEvents(
  rejections: readonly Rejections[],
  retentionDays: number,
  tx: Tx,
): Promise<void> {
  const given = rejections.map(({ events, ...rest }) => ({
    ...rest,
    events: events.map((event, index) => ({
      ...event,
      n: index + 1,
      codes: event.problems.map(({ code }) => code),
      paths: event.problems.map(({ path }) => path),
    })),
  }));
  await tx.query(keepRejectedSql, [JSON.stringify(given), retentionDays]);
}
