import type { PreparedStatement, Tx } from '../../platform/database/database';
import type { CustomerEvent, JsonObject, Subject } from '../customer-event';
import { lowestId, timeOfId } from '../partitions/partition-plan';

/** Which stored events to find. What is undefined is any. */
export interface EventSearch {
  readonly sourceId?: string | undefined;
  readonly type?: string | undefined;
  /** Event name of a track, name of a page or screen. */
  readonly name?: string | undefined;
  readonly subjects?: readonly Subject[] | undefined;
  readonly anonymousId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Received at this time or later, in milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  /** Only ids below this one: where the page before ended, or the end of a time. */
  readonly beforeId?: string | undefined;
}

/** A stored event as people see it. */
export interface FoundEvent {
  readonly event: CustomerEvent;
  /** As it is delivered: the members that only the service knows are no part of it. */
  readonly payload: JsonObject;
}

/** A part of what was found, newest first; `nextBeforeId` leads to the rest, if there may be one. */
export interface FoundPage {
  readonly events: FoundEvent[];
  readonly nextBeforeId: string | undefined;
}

interface EventRow extends Record<string, unknown> {
  readonly id: string;
  readonly sourceId: string;
  readonly subject: Subject;
  readonly payload: string;
}

const COLUMNS = 'id, source_id as "sourceId", subject, payload::text as payload';
const findByIdSql: PreparedStatement = {
  name: 'find_event',
  text: `select ${COLUMNS} from event where id = $1 limit 1`,
};
const findByMessageSql: PreparedStatement = {
  name: 'find_event_of_message',
  text: 'select distinct event_id as id from message_id where key = any($1::uuid[]) and event_id is not null',
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The first look is at so much time; the next ones at more and more, as long as they are quick. */
const FIRST_LOOK_MS = 1_000;
const GROWTH = 4;
const SHRINKING = 4;
const QUICK_MS = 100;
const SLOW_MS = 500;
/** A page is short, even empty, rather than late. */
const MAX_SEARCH_MS = 2_000;
/** Of the events of a page, as stored. Some become twenty times as much when they are parsed. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/**
 * Stored events, newest first, at most `limit`. There is no index but that of the primary key and a coarse one of ids,
 * so time is walked through backwards, a stretch after the other, until a page is full or it takes too long.
 * @param nowMs by PostgreSQL's clock
 */
export async function findEvents(
  search: EventSearch,
  limit: number,
  nowMs: number,
  tx: Tx,
): Promise<FoundPage> {
  const { fromMs = 0, beforeId = HIGHEST_ID } = search;
  const filter = filterOf(search);
  const events: FoundEvent[] = [];
  let characters = 0;
  const startedMs = performance.now();
  let [untilId, untilMs] = [beforeId, Math.min(timeOfId(beforeId) + 1, nowMs)];
  let lookMs = search.ids === undefined ? FIRST_LOOK_MS : Infinity;
  while (untilMs > fromMs) {
    const sinceMs = Math.max(untilMs - lookMs, fromMs);
    const sinceId = lowestId(sinceMs);
    const lookedMs = performance.now();
    const wanted = limit - events.length;
    for (const row of await findInRange({ sinceId, untilId, wanted }, filter, tx)) {
      events.push(toEvent(row));
      characters += row.payload.length;
      const isFull = events.length === limit || characters > MAX_PAGE_CHARACTERS;
      if (isFull) return { events, nextBeforeId: row.id };
    }
    [untilId, untilMs] = [sinceId, sinceMs];
    const tookMs = performance.now() - lookedMs;
    if (tookMs < QUICK_MS) lookMs *= GROWTH;
    else if (tookMs > SLOW_MS) lookMs /= SHRINKING;
    const isLate = performance.now() - startedMs > MAX_SEARCH_MS;
    if (isLate && untilMs > fromMs) return { events, nextBeforeId: untilId };
  }
  return { events, nextBeforeId: undefined };
}

/** Undefined when it is not stored, or not any more. */
export async function findEvent(id: string, tx: Tx): Promise<FoundEvent | undefined> {
  const [row] = await tx.query<EventRow>(findByIdSql, [id]);
  return row && toEvent(row);
}

/** The ids of the events that were the first with one of these message keys, within the window of deduplication. */
export async function findEventsOfMessages(keys: readonly string[], tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(findByMessageSql, [keys]);
  return rows.map(({ id }) => id);
}

/** Not prepared: a plan for any filter would look for none by its index. */
async function findInRange(
  {
    sinceId,
    untilId,
    wanted,
  }: { readonly sinceId: string; readonly untilId: string; readonly wanted: number },
  filter: Filter,
  tx: Tx,
): Promise<EventRow[]> {
  const conditions = [
    'id >= $1',
    'id < $2',
    ...filter.map(([condition], index) => `${condition}($${index + 4})`),
  ];
  return tx.query<EventRow>(
    `select ${COLUMNS} from event where ${conditions.join(' and ')} order by id desc limit $3`,
    [sinceId, untilId, wanted, ...filter.map(([, value]) => value)],
  );
}

/** The beginnings of conditions, and what each compares with. */
type Filter = readonly (readonly [condition: string, value: unknown])[];

function filterOf({ sourceId, type, name, subjects, anonymousId, ids }: EventSearch): Filter {
  const all: Filter = [
    ['source_id = ', sourceId],
    ['type = ', type],
    ['name = ', name],
    ['subject = any', subjects],
    [`payload ->> 'anonymousId' = `, anonymousId],
    ['id = any', ids],
  ];
  return all.filter(([, value]) => value !== undefined);
}

function toEvent({ id, sourceId, subject, payload }: EventRow): FoundEvent {
  // Written by this service after `parseEvent`.
  const parsed = JSON.parse(payload) as JsonObject;
  return { event: { ...parsed, id, sourceId, subject } as unknown as CustomerEvent, payload: parsed };
}
