import type { EventType, Subject } from '../../events/customer-event';
import { type UnstoredSearch, type Where, whereUnstored } from '../../events/unstored/unstored-search';
import { LONG_STATEMENT_MS, type Tx } from '../../platform/database/database';
import { LOWEST_ID } from '../../platform/database/statements/export-part';

/** Which quarantined events are meant. What is undefined is any. */
export interface QuarantineSearch extends UnstoredSearch {
  readonly id?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly planId?: string | undefined;
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

/** The last of the events that were walked past, oldest first. */
export interface WalkedTo {
  readonly timestamp: Date | '-infinity';
  readonly id: string;
}

/** Before the first. */
export const WALKED_NOWHERE: WalkedTo = { timestamp: '-infinity', id: LOWEST_ID };

/** Of the events of a page: some become twenty times as much when they are parsed. One is read however large it is. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const COLUMNS = `id, key, source_id as "sourceId", plan_id as "planId", plan_version as "planVersion", codes, subject,
  type, name, message_id as "messageId", "timestamp", payload::text as payload`;

/** Those of them that are quarantined. */
export function readQuarantinedEvents(ids: readonly string[], tx: Tx): Promise<QuarantinedEvent[]> {
  return tx.query<QuarantinedEvent>(
    `select ${COLUMNS} from quarantined_event where screened and id = any($1::uuid[])`,
    [ids],
  );
}

/** A page of what was found. */
interface FoundQuarantined {
  readonly found: QuarantinedEvent[];
  readonly more: boolean;
}

/**
 * Newest first; fewer than there are up to the limit where they are large: `more` tells. PostgreSQL itself reads no
 * more than so many bytes as they are kept, compressed, and sends those of the page.
 */
export async function findQuarantinedEvents(
  search: QuarantineSearch,
  limit: number,
  tx: Tx,
): Promise<FoundQuarantined> {
  const { where, values } = conditionOf(search);
  const most = `$${values.length + 1}`;
  const found = await tx.query<QuarantinedEvent & { readonly isLast: boolean }>(
    `with matching as (
       select id, pg_column_size(payload) as kept from quarantined_event where ${where} order by id desc limit ${most} + 1
     ), placed as (
       select id, row_number() over newest as place, lead(id) over newest as next, sum(kept) over newest - kept as before
       from matching window newest as (order by id desc)
     ), page as (
       select ${COLUMNS}, next is null as "isLast",
         sum(octet_length(payload::text)) over (order by id desc) - octet_length(payload::text) as before
       from placed join quarantined_event using (id) where place <= ${most} and placed.before < ${MAX_PAGE_BYTES}
     )
     select * from page where before < ${MAX_PAGE_BYTES} order by id desc`,
    [...values, limit],
  );
  return { found, more: found.at(-1)?.isLast === false };
}

/** @param most where counting ends: no index is for all that a search may ask for */
export async function countQuarantinedEvents(
  search: QuarantineSearch,
  most: number,
  tx: Tx,
): Promise<number> {
  const { where, values } = conditionOf(search);
  const counted = `select from quarantined_event where ${where} limit $${values.length + 1}`;
  const text = `select count(*)::int as count from (${counted}) counted`;
  const [row] = await tx.query<{ count: number }>({ text, limitMs: LONG_STATEMENT_MS }, [...values, most]);
  return row?.count ?? 0;
}

/**
 * Locks the oldest of them, by their own time, until the transaction ends; not those that others have, unless it is one
 * that is asked for, which may not be said not to be there.
 * @param after where the walk goes on; from the beginning, each part would pass by all that the search leaves out again
 */
export function takeQuarantinedEvents(
  search: QuarantineSearch,
  { after, limit }: { readonly after: WalkedTo; readonly limit: number },
  tx: Tx,
): Promise<QuarantinedEvent[]> {
  const { where, values } = conditionOf(search);
  const place = (nth: number): string => `$${values.length + nth}`;
  const lock = search.id === undefined ? 'for update skip locked' : 'for update';
  return tx.query<QuarantinedEvent>(
    `select ${COLUMNS} from quarantined_event where ${where} and ("timestamp", id) > (${place(1)}, ${place(2)})
     order by "timestamp", id limit ${place(3)} ${lock}`,
    [...values, after.timestamp, after.id, limit],
  );
}

export async function deleteQuarantinedEvents(ids: readonly string[], tx: Tx): Promise<void> {
  await tx.query('delete from quarantined_event where id = any($1::uuid[])', [ids]);
}

function conditionOf({ id, ids, planId, ...search }: QuarantineSearch): Where {
  return whereUnstored(search, [
    ['id = $', id],
    ['id = any($', ids, '::uuid[])'],
    ['plan_id = $', planId],
  ]);
}
