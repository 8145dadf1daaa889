import type { Tx } from '../../platform/database/database';
import type { CustomerEvent, Subject } from '../customer-event';
import { notePayload } from '../event-payload';
import { rangeOfPartition } from '../partitions/partition-plan';

const partitionsSql = `
  select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event'::regclass`;
/** Asked of a row, and so of the table that has it: with Citus that is one of another name on another node. */
const pagesSql = (name: string): string => `
  select (pg_relation_size(tableoid) / current_setting('block_size')::int)::int as pages from ${name} limit 1`;

/** How much of a partition is read at most to find enough events, in pages of 8 KB: 4 MB, 32 MB, 256 MB. */
const PAGES = [512, 4_096, 32_768];
/** How much is read of it to find out since when there were so many: of usual events some hundred. */
const HINT_PAGES = 64;
/** Of all events together. A thousand usual ones have 0.6 million. */
const MAX_CHARACTERS = 4_000_000;

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
  const newest: EventRow[] = [];
  for (const name of await partitionsNewestFirst(tx)) {
    if (newest.length >= count) break;
    newest.push(...(await readEnd(name, count - newest.length, tx)));
  }
  return firstWithin(MAX_CHARACTERS, newest).map(({ payload, ...key }) =>
    notePayload({ ...(JSON.parse(payload) as object), ...key } as CustomerEvent, payload),
  );
}

/**
 * The id since which about `count` events came in, or fewer: those at the end of the newest partition that has any. A
 * hint only, for the same reason. Undefined where there is none.
 * @param limitMs of a statement
 */
export async function findNewestFrom(count: number, limitMs: number, tx: Tx): Promise<string | undefined> {
  for (const name of await partitionsNewestFirst(tx)) {
    const pages = await countPages(name, tx, limitMs);
    if (pages === 0) continue;
    const text = `select id from ${name} where ctid >= $1::tid order by id desc limit $2`;
    const ids = await tx.query<Pick<EventRow, 'id'>>({ text, limitMs }, [beginOf(HINT_PAGES, pages), count]);
    if (ids.length > 0) return ids.at(-1)?.id;
  }
  return undefined;
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

/** By their names: asked for its bounds, each would be locked. */
async function partitionsNewestFirst(tx: Tx): Promise<string[]> {
  const partitions = await tx.query<{ name: string }>(partitionsSql);
  const ranges = partitions.map(({ name }) => rangeOfPartition(name));
  return ranges.sort((a, b) => (a.fromId < b.fromId ? 1 : -1)).map(({ name }) => name);
}

async function readEnd(name: string, count: number, tx: Tx): Promise<EventRow[]> {
  const pages = await countPages(name, tx);
  if (pages === 0) return [];
  const sql = `
    select id, source_id as "sourceId", subject, payload::text as payload
    from ${name} where ctid >= $1::tid order by id desc limit $2`;
  let rows: EventRow[] = [];
  for (const end of PAGES) {
    rows = await tx.query<EventRow>(sql, [beginOf(end, pages), count]);
    if (rows.length === count || end >= pages) break;
  }
  return rows;
}

async function countPages(name: string, tx: Tx, limitMs?: number): Promise<number> {
  // PostgreSQL quotes the name where it needs to.
  const [row] = await tx.query<{ pages: number }>({ text: pagesSql(name), limitMs });
  return row?.pages ?? 0;
}

/** Where the last pages begin. */
function beginOf(end: number, pages: number): string {
  return `(${Math.max(0, pages - end)},0)`;
}
