import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { keepErasuresOut } from '../../events/erasure-gate';
import { EventStore, type StorableEvent } from '../../events/event-store';
import { parseExactly, stringifyExactly } from '../../events/exact-json';
import { HandOver } from '../../events/inbox/hand-over';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { newRowId } from '../../platform/database/database-clock';
import {
  countQuarantinedEvents,
  deleteQuarantinedEvents,
  type QuarantinedEvent,
  type QuarantineSearch,
  takeQuarantinedEvents,
} from './find-quarantined-events';

/** In one transaction, which keeps erasures waiting. */
const PART_EVENTS = 200;
/** By one call; it may be called again. */
const MAX_EVENTS = 10_000;

/** How many events a call was for, and how many it has left. */
export interface Settled {
  readonly settled: number;
  readonly remaining: number;
}

/** What becomes of events that are in quarantine no more. */
interface Settling {
  readonly action: AuditedAction<'quarantine'>;
  readonly actor: Actor;
  readonly settle: (events: readonly QuarantinedEvent[]) => Promise<void>;
}

/** Ends the quarantine of events. */
@Injectable()
export class Quarantine {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly handOver: HandOver,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Has events go the way of all others, oldest first. One that is released twice, because this process died before it was
   * deleted here, is stored once: its messageId is known by then.
   */
  release(search: QuarantineSearch, actor: Actor): Promise<Settled> {
    const settle = async (events: readonly QuarantinedEvent[]): Promise<void> =>
      void (await this.storeReleased(events));
    return this.settleAll(search, { action: 'release', actor, settle });
  }

  /** Deletes events for good. */
  discard(search: QuarantineSearch, actor: Actor): Promise<Settled> {
    return this.settleAll(search, { action: 'discard', actor, settle: forget });
  }

  /**
   * @returns the id of the stored event, null when one with its messageId had been accepted before; undefined when there is
   *   no such event in quarantine
   */
  async releaseOne(id: string, actor: Actor): Promise<string | null | undefined> {
    let stored: string | undefined;
    const settle = async (events: readonly QuarantinedEvent[]): Promise<void> => {
      [stored] = await this.storeReleased(events);
    };
    const released = await this.settle({ id }, { action: 'release', actor, settle });
    return released === 0 ? undefined : (stored ?? null);
  }

  /** @returns whether there was such an event in quarantine */
  async discardOne(id: string, actor: Actor): Promise<boolean> {
    return (await this.settle({ id }, { action: 'discard', actor, settle: forget })) > 0;
  }

  private async settleAll(search: QuarantineSearch, settling: Settling): Promise<Settled> {
    const settled = await this.settle(search, settling);
    return { settled, remaining: await countQuarantinedEvents(search, this.database) };
  }

  /** @returns how many there were, of the first {@link MAX_EVENTS} */
  private async settle(search: QuarantineSearch, { action, actor, settle }: Settling): Promise<number> {
    let settled = 0;
    for (let part = PART_EVENTS; part === PART_EVENTS && settled < MAX_EVENTS; settled += part) {
      part = await this.database.transaction((tx) => settlePart(search, settle, tx));
    }
    if (settled > 0) await this.record(action, { search, settled, actor });
    return settled;
  }

  /**
   * Two with one messageId cannot be: that is what they are told apart by here, too.
   * @returns the ids of those that are new
   */
  private async storeReleased(events: readonly QuarantinedEvent[]): Promise<string[]> {
    const storable = events.map(storableOf);
    const { inboxId, duplicates } = await this.store.store(storable);
    const known = new Set(duplicates);
    const stored = storable.map(({ id }) => id).filter((id) => !known.has(id));
    if (inboxId !== undefined) this.handOver.take({ inboxId, events: stored.length });
    return stored;
  }

  /** Once for a call, without whom it was about. */
  private async record(
    action: AuditedAction<'quarantine'>,
    { search, settled, actor }: { search: QuarantineSearch; settled: number; actor: Actor },
  ): Promise<void> {
    const { id = '', subjects: _subjects, ...filter } = search;
    const after = { events: settled, filter };
    await this.audit.record(this.database, actor, { action, resource: 'quarantine', resourceId: id, after });
  }
}

async function forget(): Promise<void> {
  // They are deleted in any case.
}

async function settlePart(search: QuarantineSearch, settle: Settling['settle'], tx: Tx): Promise<number> {
  // An erasure that is under way must not miss what is stored now.
  await keepErasuresOut(tx);
  const events = await takeQuarantinedEvents(search, PART_EVENTS, tx);
  if (events.length > 0) {
    await settle(events);
    await deleteQuarantinedEvents(
      events.map(({ id }) => id),
      tx,
    );
  }
  return events.length;
}

/** With another id: that of an event says when it was stored. */
function storableOf({
  key,
  sourceId,
  subject,
  type,
  name,
  timestamp,
  payload,
}: QuarantinedEvent): StorableEvent {
  return {
    id: newRowId(),
    key,
    sourceId,
    subject,
    type,
    name: name ?? undefined,
    timestampMs: timestamp.getTime(),
    payload: Buffer.from(stringifyExactly(asReleased(parseExactly(payload) as JsonObject))),
  };
}

/** Says of an event what became of it: `context.trackingPlan.released`. */
function asReleased(event: JsonObject): JsonObject {
  const context = isJsonObject(event.context) ? event.context : {};
  const verdict = isJsonObject(context.trackingPlan) ? context.trackingPlan : {};
  return { ...event, context: { ...context, trackingPlan: { ...verdict, released: true } } };
}
