import type { EventType, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** An event that its tracking plan keeps apart. */
export interface NewQuarantinedEvent {
  /** UUIDv7 of the event, made at reception. */
  readonly id: string;
  /** See `messageKey`. */
  readonly key: string;
  readonly sourceId: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly codes: readonly string[];
  readonly subject: Subject;
  /** All that it names. */
  readonly subjects: readonly Subject[];
  readonly type: EventType;
  readonly name: string | undefined;
  readonly messageId: string;
  readonly timestampMs: number;
  /** JSON, as it would be stored. */
  readonly payload: string;
}

// Sorted, both, so that two requests with the same events wait for each other but never in a circle.
const keepQuarantinedSql = prepared('keep_quarantined_events')`
  insert into quarantined_event
    (id, key, source_id, plan_id, plan_version, codes, subject, subjects, type, name, message_id, "timestamp", payload)
  select id, key, "sourceId", "planId", "planVersion", codes, subject, subjects, type, name, "messageId",
    to_timestamp("timestampMs" / 1000), payload::json
  from json_to_recordset($1::json) as e(id uuid, key uuid, "sourceId" uuid, "planId" uuid, "planVersion" int,
    codes text[], subject text, subjects text[], type text, name text, "messageId" text, "timestampMs" float8,
    payload text)
  order by key
  on conflict (key) do nothing
  returning id`;
const dropByKeySql = prepared('drop_quarantined_by_key')`
  delete from quarantined_event
  where id = any(array(select id from quarantined_event where key = any($1::uuid[]) order by key for update))
  returning 1`;

/**
 * Keeps events apart. When it resolves they are on disk; one that is there already stays as it is.
 * @returns the ids of those that were not there
 */
export async function keepQuarantinedEvents(
  events: readonly NewQuarantinedEvent[],
  tx: Tx,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(keepQuarantinedSql, [JSON.stringify(events)]);
  return new Set(rows.map(({ id }) => id));
}

/** Ends the quarantine of events that are stored. @returns of how many */
export async function dropQuarantinedByKey(keys: readonly string[], tx: Tx): Promise<number> {
  return (await tx.query(dropByKeySql, [keys])).length;
}
