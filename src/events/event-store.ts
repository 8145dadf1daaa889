import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { Config } from '../platform/config/config';
import type { Tx } from '../platform/database/database';
import { newRowId } from '../platform/database/connections/database-clock';
import { isMissingPartition } from '../platform/database/failure';
import {
  jsonArray,
  textArray,
  timestampArray,
  uuidArray,
} from '../platform/database/statements/binary-arrays';
import { openPool } from '../platform/database/connections/open-pool';
import { type BoundValue, queryUncopied } from '../platform/database/connections/uncopied-query';
import type { CustomerEvent, EventKey, EventType, Subject } from './customer-event';
import { traceEvent } from './event-trace';
import { type EventKeyArrays, joinKeyArrays, keyArrays } from './event-key-arrays';
import { notePayload } from './event-payload';
import { FreshRows } from './inbox/fresh-rows';
import { Partitions } from './partitions/partitions';
import { deleteEventsSql, readEventsSql } from './reading/read-events';
import { findKnownSql, storeEventsSql } from './store-events';

/** An event ready to be stored. */
export interface StorableEvent {
  /** UUIDv7 of the event. */
  readonly id: string;
  /** See `messageKey`; unique among the events stored together. */
  readonly key: string;
  readonly sourceId: string;
  readonly subject: Subject;
  readonly type: EventType;
  /** Event name of a track, name of a page or screen. */
  readonly name: string | undefined;
  /** When it happened, in milliseconds since 1970. */
  readonly timestampMs: number;
  /** JSON in UTF-8, see `CustomerEvent`. Bytes, for a thousand texts that wait are a thousand for V8 to move about. */
  readonly payload: Buffer;
  /** Of the request that brought it, when that is traced. */
  readonly traceparent?: string | undefined;
}

/** What became of a group of events. */
export interface StoredEvents {
  /** The inbox row of the new ones; undefined when nothing was new. */
  readonly inboxId: string | undefined;
  /** Ids of those that had been accepted before. */
  readonly duplicates: readonly string[];
}

interface StoreResult {
  readonly stored: number;
  readonly duplicates: string[];
}

const NOTHING_STORED: StoreResult = { stored: 0, duplicates: [] };

interface StoredPayload {
  readonly id: string;
  readonly source_id: string;
  readonly subject: EventKey['subject'];
  /** Null beyond the bytes that were asked for. */
  readonly payload: string | null;
}

/** The first of the events that were asked for. */
interface FirstEvents {
  readonly events: CustomerEvent[];
  /** Id of the first event that did not fit; undefined when all did. */
  readonly firstLeft: string | undefined;
}

/** Groups being committed at once: while one waits for the disk, the next one is being inserted. */
export const COMMITS_IN_FLIGHT = 2;

const CONNECT_TIMEOUT_MS = 5_000;
/** Senders wait for no longer than they must. */
const QUERY_TIMEOUT_MS = 15_000;
const DAY_SECONDS = 86_400;
const UNLIMITED_BYTES = Number.MAX_SAFE_INTEGER;

/** What is sent of an event, before any mapping. */
export interface SentPayload {
  readonly sourceId: string;
  readonly payload: string;
}

/** The only writer of events, and their reader by key. */
@Injectable()
export class EventStore implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly prepare: boolean;
  private readonly windowSeconds: number;
  /** Undefined where others process what this process stores. */
  private readonly fresh: FreshRows | undefined;
  private stored = 0;

  constructor(
    config: Config,
    private readonly partitions: Partitions,
  ) {
    this.prepare = config.database.preparedStatements;
    this.windowSeconds = config.events.dedupWindowDays * DAY_SECONDS;
    this.fresh = config.hasRole('worker') ? new FreshRows() : undefined;
    // A pool of its own, so that accepting events never waits for a connection that processing them holds.
    this.pool = openPool({
      connectionString: config.databaseUrl,
      max: COMMITS_IN_FLIGHT,
      application_name: 'cdp-service-intake',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
  }

  /** How many events this process has stored. */
  get storedCount(): number {
    return this.stored;
  }

  /**
   * Stores, in one statement and so in one transaction, the events that are new, with one inbox row for them all.
   * When it resolves they are on disk. When it rejects because the connection was lost they may be: storing them
   * again is harmless.
   *
   * @param clockAheadSeconds how far PostgreSQL's clock is taken to be ahead; for tests of the dedup window.
   */
  async store(events: readonly StorableEvent[], clockAheadSeconds = 0): Promise<StoredEvents> {
    const inboxId = newRowId();
    const values = this.valuesOf(events, inboxId, clockAheadSeconds);
    const { stored, duplicates } = await this.insert(values).catch(async (error: unknown) => {
      if (!isMissingPartition(error)) throw error;
      await this.partitions.make(); // No process was there to make it for weeks.
      return this.insert(values);
    });
    if (stored === 0) return { inboxId: undefined, duplicates };
    this.stored += stored;
    this.fresh?.keep(inboxId, duplicates.length === 0 ? events : without(events, duplicates));
    return { inboxId, duplicates };
  }

  /**
   * The same as a part of a transaction: they are stored when it commits, and others with their messageIds wait for
   * that. Planned anew each time, for connections of others may have seen the tables empty.
   */
  async storeWithin(events: readonly StorableEvent[], tx: Tx): Promise<StoredEvents> {
    const inboxId = newRowId();
    const [row] = await tx.query<StoreResult>(
      { text: storeEventsSql.text },
      this.valuesOf(events, inboxId, 0),
    );
    const { stored, duplicates } = row ?? NOTHING_STORED;
    this.stored += stored;
    return { inboxId: stored === 0 ? undefined : inboxId, duplicates };
  }

  /** Those of message keys under which an event was accepted before: to store another one is to find a duplicate. */
  async findKnown(keys: readonly string[], tx: Tx): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ key: string }>(findKnownSql, [keys, this.windowSeconds]);
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * The events that were in these rows of the inbox when this process stored them, once; undefined when not all of them
   * are at hand.
   */
  takeFresh(inboxIds: readonly string[]): CustomerEvent[] | undefined {
    return this.fresh?.takeEvents(inboxIds)?.map((stored) => {
      const event = eventOf(stored, stored.payload.toString());
      if (stored.traceparent !== undefined) traceEvent(event, stored.traceparent);
      return event;
    });
  }

  /** The events of `keys`, in that order. Events that retention has dropped are left out. */
  async readEvents(keys: readonly EventKey[], tx: Tx): Promise<CustomerEvent[]> {
    return keys.length === 0 ? [] : this.readEventsOf([keyArrays(keys)], tx);
  }

  /** The same, of arrays of keys, of which there is at least one. */
  async readEventsOf(keys: readonly EventKeyArrays[], tx: Tx): Promise<CustomerEvent[]> {
    return (await this.readFirstEventsOf(keys, UNLIMITED_BYTES, tx)).events;
  }

  /** The first events of `keys`, see {@link readFirstEventsOf}. */
  async readFirstEvents(keys: readonly EventKey[], maxBytes: number, tx: Tx): Promise<FirstEvents> {
    if (keys.length === 0) return { events: [], firstLeft: undefined };
    return this.readFirstEventsOf([keyArrays(keys)], maxBytes, tx);
  }

  /**
   * As `readEventsOf`, but only the first events: as many as have `maxBytes` of JSON together, or one. Parsed, an event
   * may take 24 times the memory of its text: 30 KB of `[{},{},…]` take 700 KB.
   */
  async readFirstEventsOf(keys: readonly EventKeyArrays[], maxBytes: number, tx: Tx): Promise<FirstEvents> {
    const rows = await this.read(joinKeyArrays(keys), maxBytes, tx);
    const events: CustomerEvent[] = [];
    for (const { id, source_id, subject, payload } of rows) {
      if (payload === null) return { events, firstLeft: id };
      events.push(eventOf({ id, sourceId: source_id, subject }, payload));
    }
    return { events, firstLeft: undefined };
  }

  /** Deletes events by their keys. */
  async deleteEvents(keys: readonly EventKey[], tx: Tx): Promise<void> {
    await tx.query(deleteEventsSql, [
      keys.map(({ subject }) => subject),
      keys.map(({ timestamp }) => timestamp),
      keys.map(({ id }) => id),
    ]);
  }

  /** The JSON text of the events of `keys`, as it is delivered, and who sent it, by event id. */
  async readPayloads(keys: readonly EventKey[], tx: Tx): Promise<Map<string, SentPayload>> {
    if (keys.length === 0) return new Map();
    const rows = await this.read(keyArrays(keys), UNLIMITED_BYTES, tx);
    return new Map(
      rows.map(({ id, source_id: sourceId, payload }) => [id, { sourceId, payload: payload ?? '' }]),
    );
  }

  /** Called once the last request is answered. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async insert(values: readonly BoundValue[]): Promise<StoreResult> {
    const { name, text } = storeEventsSql;
    const query = { name: this.prepare ? name : undefined, text, values };
    const { rows } = await queryUncopied<StoreResult>(this.pool, query, QUERY_TIMEOUT_MS);
    return rows[0] ?? NOTHING_STORED;
  }

  private valuesOf(
    events: readonly StorableEvent[],
    inboxId: string,
    clockAheadSeconds: number,
  ): BoundValue[] {
    return [...columnsOf(events), this.windowSeconds, inboxId, clockAheadSeconds, tracesOf(events)];
  }

  private async read(keys: EventKeyArrays, maxBytes: number, tx: Tx): Promise<StoredPayload[]> {
    const { subjects, timestamps, ids, lowestId, highestId } = keys;
    return tx.query<StoredPayload>(readEventsSql, [subjects, timestamps, ids, lowestId, highestId, maxBytes]);
  }
}

/**
 * Written by this service after `parseEvent`. Completed in place: a copy of each event is what this would cost most.
 */
function eventOf(
  { id, sourceId, subject }: Pick<StorableEvent, 'id' | 'sourceId' | 'subject'>,
  payload: string,
): CustomerEvent {
  const event = Object.assign(JSON.parse(payload) as CustomerEvent, { id, sourceId, subject });
  return notePayload(event, payload);
}

function without(events: readonly StorableEvent[], ids: readonly string[]): StorableEvent[] {
  const left = new Set(ids);
  return events.filter(({ id }) => !left.has(id));
}

/** The first parameters of the statement. */
function columnsOf(events: readonly StorableEvent[]): Buffer[] {
  return [
    uuidArray(events.map(({ key }) => key)),
    textArray(events.map(({ subject }) => subject)),
    timestampArray(events.map(({ timestampMs }) => timestampMs)),
    uuidArray(events.map(({ id }) => id)),
    uuidArray(events.map(({ sourceId }) => sourceId)),
    textArray(events.map(({ type }) => type)),
    textArray(events.map(({ name }) => name)),
    jsonArray(events.map(({ payload }) => payload)),
  ];
}

/** The traceparents by event id, as JSON; null, as almost always, when no event is traced. */
function tracesOf(events: readonly StorableEvent[]): string | null {
  const traced = events.filter(({ traceparent }) => traceparent !== undefined);
  if (traced.length === 0) return null;
  return JSON.stringify(Object.fromEntries(traced.map(({ id, traceparent }) => [id, traceparent])));
}
