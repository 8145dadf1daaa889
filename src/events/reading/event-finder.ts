import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { Database, type Statement } from '../../platform/database/database';
import { failureOf, isCancelled } from '../../platform/database/failure';
import { prepared } from '../../platform/database/statements/prepared';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import type { CustomerEvent, Subject } from '../customer-event';
import { notePayload } from '../event-payload';
import { HIGHEST_ID, lowestId, timeOfId } from '../partitions/partition-plan';
import { findNewestFrom } from './newest-events';
import { StoredEvent } from './stored-event.entity';
import { WalkBack } from './walk-back';

/** Which stored events to find. What is undefined is any. */
export interface EventQuery {
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

/**
 * A part of what was found, newest first, each event with its text (`payloadOf`); `nextBeforeId` leads to the rest, if
 * there may be one.
 */
export interface FoundPage {
  readonly events: CustomerEvent[];
  readonly nextBeforeId: string | undefined;
}

interface EventRow {
  readonly id: string;
  readonly sourceId: string;
  readonly subject: Subject;
  /** Of a page, no more is parsed than it may have. */
  readonly payload: string;
}

/** Ids from inclusive, to exclusive, of which so many are wanted. */
interface Look {
  readonly fromId: string;
  readonly toId: string;
  readonly wanted: number;
  readonly maxMs: number;
}

const findByMessageSql = prepared('find_event_of_message')`
  select distinct event_id as id from message_id where key = any($1::uuid[]) and event_id is not null`;

/** A page is short, even empty, rather than late. */
const MAX_SEARCH_MS = 2_000;
/** Of that: so that one look is not late either. */
const LOOK_SHARE = 0.5;
/** Of the events of a page, as stored. Some become twenty times as much when they are parsed. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Finds stored events for people. */
@Injectable()
export class EventFinder {
  constructor(
    @InjectRepository(StoredEvent) private readonly events: Repository<StoredEvent>,
    private readonly replica: ReplicaDatabase,
    private readonly primary: Database,
  ) {}

  /**
   * Stored events, newest first, at most `limit`. There is no index but that of the primary key and a coarse one of
   * ids, so time is walked through backwards, a stretch after the other, until a page is full or it takes too long.
   * @param nowMs by PostgreSQL's clock
   * @param maxMs after which no other stretch is looked at
   */
  async findEvents(
    search: EventQuery,
    limit: number,
    nowMs: number,
    maxMs = MAX_SEARCH_MS,
  ): Promise<FoundPage> {
    const { fromMs = 0, beforeId = HIGHEST_ID } = search;
    const events: CustomerEvent[] = [];
    let characters = 0;
    let toId = beforeId;
    // What is found by its id is found at any time as quickly.
    const firstLookMs = search.ids === undefined ? undefined : Infinity;
    const walk = new WalkBack(fromMs, Math.min(timeOfId(beforeId) + 1, nowMs), firstLookMs);
    const maxLookMs = Math.ceil(maxMs * LOOK_SHARE);
    for (const endMs = performance.now() + maxMs; !walk.isOver;) {
      if (performance.now() > endMs && toId !== beforeId) return { events, nextBeforeId: toId };
      const fromId = lowestId(walk.next.fromMs);
      const look = { fromId, toId, wanted: limit - events.length, maxMs: maxLookMs };
      const rows = await this.look(look, search, walk);
      if (rows === undefined) continue;
      // Of people there are few in any stretch.
      if (toId === HIGHEST_ID && rows.length === 0 && search.subjects === undefined)
        await this.leapToNewest(walk, limit, maxLookMs);
      toId = fromId;
      for (const row of rows) {
        events.push(toEvent(row));
        characters += row.payload.length;
        const isFull = events.length === limit || characters > MAX_PAGE_CHARACTERS;
        if (isFull) return { events, nextBeforeId: row.id };
      }
    }
    return { events, nextBeforeId: undefined };
  }

  /** Undefined when it is not stored, or not any more. */
  async findEvent(id: string): Promise<CustomerEvent | undefined> {
    const [text, params] = this.rows().where({ id }).getQueryAndParameters();
    const [row] = await this.findRecent<EventRow>(text, params);
    return row && toEvent(row);
  }

  /** The ids of the events that were the first with one of these message keys, within the window of deduplication. */
  async findEventsOfMessages(keys: readonly string[]): Promise<string[]> {
    const rows = await this.findRecent<{ id: string }>(findByMessageSql, [keys]);
    return rows.map(({ id }) => id);
  }

  /** What is found by a key. Where the replica has nothing, the primary may: people look for what has just come in. */
  private async findRecent<Row extends QueryResultRow>(
    statement: string | Statement,
    params: readonly unknown[],
  ): Promise<Row[]> {
    const rows = await this.replica.query<Row>(statement, params);
    return rows.length > 0 ? rows : this.primary.query<Row>(statement, params);
  }

  /**
   * How long nothing came in says nothing about how much came before: a stretch that grew with it would have far too
   * much.
   */
  private async leapToNewest(walk: WalkBack, wanted: number, maxMs: number): Promise<void> {
    if (walk.isOver) return;
    try {
      const id = await findNewestFrom(wanted, maxMs, this.replica);
      if (id !== undefined) walk.leapTo(timeOfId(id));
    } catch (error) {
      // A partition is locked, or was dropped meanwhile. The walk goes on without.
      if (failureOf(error) === undefined) throw error;
    }
  }

  /** Undefined when there was too much to look at; the next look is a shorter one then. */
  private async look(look: Look, search: EventQuery, walk: WalkBack): Promise<EventRow[] | undefined> {
    const [text, params] = this.queryFor(look, search).getQueryAndParameters();
    const startedMs = performance.now();
    try {
      // Not prepared: a plan for any filter would look for none by its index.
      const statement = { text, limitMs: look.maxMs };
      const found = await this.replica.query<EventRow>(statement, params);
      // As in `findRecent`: what is looked for by its id may have just come in.
      const mayLack = search.ids !== undefined && found.length < Math.min(search.ids.length, look.wanted);
      const rows = mayLack ? await this.primary.query<EventRow>(statement, params) : found;
      walk.goOn(performance.now() - startedMs);
      return rows;
    } catch (error) {
      if (isCancelled(error) && walk.lookLess()) return undefined;
      throw error;
    }
  }

  private queryFor({ fromId, toId, wanted }: Look, search: EventQuery): SelectQueryBuilder<StoredEvent> {
    const { sourceId, type, name, subjects, anonymousId, ids } = search;
    const query = this.rows()
      .where('event.id >= :fromId and event.id < :toId', { fromId, toId })
      .orderBy('event.id', 'DESC')
      .limit(wanted);
    if (sourceId !== undefined) query.andWhere({ sourceId });
    if (type !== undefined) query.andWhere({ type });
    if (name !== undefined) query.andWhere({ name });
    if (subjects !== undefined) query.andWhere('event.subject = any(:subjects)', { subjects });
    if (anonymousId !== undefined)
      query.andWhere(`event.payload ->> 'anonymousId' = :anonymousId`, { anonymousId });
    if (ids !== undefined) query.andWhere('event.id = any(:ids)', { ids });
    return query;
  }

  private rows(): SelectQueryBuilder<StoredEvent> {
    return this.events
      .createQueryBuilder('event')
      .select('event.id', 'id')
      .addSelect('event.sourceId', 'sourceId')
      .addSelect('event.subject', 'subject')
      .addSelect('cast(event.payload as text)', 'payload');
  }
}

function toEvent({ id, sourceId, subject, payload }: EventRow): CustomerEvent {
  // Written by this service after `parseEvent`.
  const event = JSON.parse(payload) as CustomerEvent;
  return notePayload({ ...event, id, sourceId, subject }, payload);
}
