import type { EventType, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';

/** Which quarantined events are meant. What is undefined is any. */
export interface QuarantineSearch {
  readonly id?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly planId?: string | undefined;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly messageId?: string | undefined;
  readonly code?: string | undefined;
  /** All of them. */
  readonly subjects?: readonly Subject[] | undefined;
  /** Received from here on, and before there. */
  readonly fromId?: string | undefined;
  readonly beforeId?: string | undefined;
}

/** What people are shown of an event that is kept apart. */
export interface ShownQuarantinedEvent {
  readonly id: string;
  readonly sourceId: string;
  readonly planId: string;
  readonly planVersion: number;
  readonly codes: string[];
  readonly type: EventType;
  readonly name: string | null;
  readonly messageId: string;
  readonly timestamp: Date;
  /** JSON. */
  readonly payload: string;
}

/** An event that is kept apart. */
export interface QuarantinedEvent extends ShownQuarantinedEvent, Record<string, unknown> {
  readonly key: string;
  readonly subject: Subject;
}

const COLUMNS = `id, key, source_id as "sourceId", plan_id as "planId", plan_version as "planVersion", codes, subject,
  type, name, message_id as "messageId", "timestamp", payload::text as payload`;

/** Those of them that are quarantined. */
export function readQuarantinedEvents(ids: readonly string[], tx: Tx): Promise<QuarantinedEvent[]> {
  return tx.query<QuarantinedEvent>(
    `select ${COLUMNS} from quarantined_event where screened and id = any($1::uuid[])`,
    [ids],
  );
}

interface Condition {
  readonly where: string;
  readonly values: unknown[];
}

/** Newest first. */
export function findQuarantinedEvents(
  search: QuarantineSearch,
  limit: number,
  tx: Tx,
): Promise<QuarantinedEvent[]> {
  const { where, values } = conditionOf(search);
  return tx.query<QuarantinedEvent>(
    `select ${COLUMNS} from quarantined_event where ${where} order by id desc limit $${values.length + 1}`,
    [...values, limit],
  );
}

export async function countQuarantinedEvents(search: QuarantineSearch, tx: Tx): Promise<number> {
  const { where, values } = conditionOf(search);
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::float8 as count from quarantined_event where ${where}`,
    values,
  );
  return row?.count ?? 0;
}

/** Locks the oldest of them, by their own time, until the transaction ends; not those that others have. */
export function takeQuarantinedEvents(
  search: QuarantineSearch,
  limit: number,
  tx: Tx,
): Promise<QuarantinedEvent[]> {
  const { where, values } = conditionOf(search);
  return tx.query<QuarantinedEvent>(
    `select ${COLUMNS} from quarantined_event where ${where}
     order by "timestamp", id limit $${values.length + 1} for update skip locked`,
    [...values, limit],
  );
}

export async function deleteQuarantinedEvents(ids: readonly string[], tx: Tx): Promise<void> {
  await tx.query('delete from quarantined_event where id = any($1::uuid[])', [ids]);
}

function conditionOf(search: QuarantineSearch): Condition {
  const { id, sourceId, planId, type, name, messageId, code, subjects, fromId, beforeId } = search;
  const given = (
    [
      ['id = $', id],
      ['source_id = $', sourceId],
      ['plan_id = $', planId],
      ['type = $', type],
      ['name = $', name],
      ['message_id = $', messageId],
      ['codes @> $', code === undefined ? undefined : [code]],
      ['subjects @> $', subjects],
      ['id >= $', fromId],
      ['id < $', beforeId],
    ] as const
  ).filter(([, value]) => value !== undefined);
  const conditions = given.map(([condition], index) => `${condition}${index + 1}`);
  return { where: ['screened', ...conditions].join(' and '), values: given.map(([, value]) => value) };
}
