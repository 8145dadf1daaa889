import type { Tx } from '../../platform/database/database';
import type { CustomerEvent, Subject } from '../customer-event';
import { notePayload } from '../event-payload';

/** The partitions, newest first: their bounds begin with the time. */
const partitionsSql = `
  select c.oid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'event'::regclass
  order by pg_get_expr(c.relpartbound, c.oid) desc`;
/** Asked of a row, and so of the table that has it: with Citus that is one of another name on another node. */
const pagesSql = (name: string): string => `
  select (pg_relation_size(tableoid) / current_setting('block_size')::int)::int as pages from ${name} limit 1`;

/** How much of a partition is read at most to find enough events, in pages of 8 KB: 4 MB, 32 MB, 256 MB. */
const PAGES = [512, 4_096, 32_768];
/** Of all events together. A thousand usual ones have 0.6 million. */
const MAX_CHARACTERS = 4_000_000;

interface PartitionRow {
  readonly name: string;
}

interface EventRow {
  readonly id: string;
  readonly sourceId: string;
  readonly subject: Subject;
  readonly payload: string;
}

/**
 * The events that came in last, newest first. No index has events by id, so they are taken from where new rows are
 * put: the ends of the newest partitions. Rows that filled a gap further up (of deleted events) may be missed. Of large
 * events there are fewer: parsed they may take 24 times their bytes. With their text.
 */
export async function readNewestEvents(count: number, tx: Tx): Promise<CustomerEvent[]> {
  const partitions = await tx.query<PartitionRow>(partitionsSql);
  const newest: EventRow[] = [];
  for (const partition of partitions) {
    if (newest.length >= count) break;
    newest.push(...(await readEnd(partition, count - newest.length, tx)));
  }
  return firstWithin(MAX_CHARACTERS, newest).map(({ payload, ...key }) =>
    notePayload({ ...(JSON.parse(payload) as object), ...key } as CustomerEvent, payload),
  );
}

/** As many of the first rows as have so many characters together, or one. */
function firstWithin(maxCharacters: number, rows: readonly EventRow[]): readonly EventRow[] {
  let characters = 0;
  const end = rows.findIndex(({ payload }, index) => {
    characters += payload.length;
    return index > 0 && characters > maxCharacters;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

async function readEnd({ name }: PartitionRow, count: number, tx: Tx): Promise<EventRow[]> {
  // PostgreSQL quotes the name where it needs to.
  const [{ pages } = { pages: 0 }] = await tx.query<{ pages: number }>(pagesSql(name));
  if (pages === 0) return [];
  const sql = `
    select id, source_id as "sourceId", subject, payload::text as payload
    from ${name} where ctid >= $1::tid order by id desc limit $2`;
  let rows: EventRow[] = [];
  for (const end of PAGES) {
    rows = await tx.query<EventRow>(sql, [`(${Math.max(0, pages - end)},0)`, count]);
    if (rows.length === count || end >= pages) break;
  }
  return rows;
}
