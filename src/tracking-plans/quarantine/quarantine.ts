import { Injectable } from '@nestjs/common';
import { countEvents, type EventCount } from '../../events/counts/count-events';
import { isJsonObject, type JsonObject } from '../../events/customer-event';
import { keepErasuresOut } from '../../events/erasure-gate';
import { EventStore, type StorableEvent } from '../../events/event-store';
import { parseExactly, stringifyExactly } from '../../events/exact-json';
import { HandOver } from '../../events/inbox/hand-over';
import type { StoredRow } from '../../events/inbox/rows-at-hand';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { newRowId } from '../../platform/database/connections/database-clock';
import {
  countQuarantinedEvents,
  deleteQuarantinedEvents,
  type QuarantinedEvent,
  type QuarantineSearch,
  takeQuarantinedEvents,
  type WalkedTo,
  WALKED_NOWHERE,
} from './find-quarantined-events';

/** In one transaction, which keeps erasures waiting. */
const PART_EVENTS = 200;
/** By one call; it may be called again. */
const MAX_EVENTS = 10_000;

/** How many events a call was for, and how many it has left: as far as another call would get. */
interface Settled {
  readonly settled: number;
  readonly remaining: number;
}

/** What becomes of events that are in quarantine no more. */
interface Settling {
  readonly action: AuditedAction<'quarantine'>;
  readonly actor: Actor;
  /** In the transaction that deletes them. Answers what is to be processed once it is committed. */
  readonly settle: (events: readonly QuarantinedEvent[], tx: Tx) => Promise<StoredRow | undefined>;
}

interface SettledPart {
  readonly events: number;
  readonly walkedTo: WalkedTo;
  readonly row?: StoredRow | undefined;
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
   * Has events go the way of all others, oldest first. Each is stored and deleted here by one commit: nothing is in
   * both places, or in none, whenever this process dies.
   */
  release(search: QuarantineSearch, actor: Actor): Promise<Settled> {
    const settle: Settling['settle'] = async (events, tx) => (await this.storeReleased(events, tx)).row;
    return this.settleAll(search, { action: 'release', actor, settle });
  }

  /** Deletes events for good. */
  discard(search: QuarantineSearch, actor: Actor): Promise<Settled> {
    return this.settleAll(search, { action: 'discard', actor, settle: forget });
  }

  /**
   * @returns the id of the stored event, null when one with its messageId had been accepted before; undefined when
   * there is no such event in quarantine
   */
  async releaseOne(id: string, actor: Actor): Promise<string | null | undefined> {
    let stored: string | undefined;
    const settle: Settling['settle'] = async (events, tx) => {
      const { ids, row } = await this.storeReleased(events, tx);
      [stored] = ids;
      return row;
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
    return { settled, remaining: await countQuarantinedEvents(search, MAX_EVENTS, this.database) };
  }

  /** @returns how many there were, of the first {@link MAX_EVENTS} */
  private async settle(search: QuarantineSearch, { action, actor, settle }: Settling): Promise<number> {
    let settled = 0;
    let part: SettledPart = { events: 0, walkedTo: WALKED_NOWHERE };
    do {
      const after = part.walkedTo;
      part = await this.database.transaction(async (tx) => {
        const done = await settlePart({ search, after }, settle, tx);
        if (done.events > 0) await this.record(action, { search, settled: done.events, actor }, tx);
        return done;
      });
      if (part.row !== undefined) this.handOver.handOverRow(part.row);
      settled += part.events;
    } while (part.events === PART_EVENTS && settled < MAX_EVENTS);
    return settled;
  }

  /**
   * Two with one messageId cannot be: that is what they are told apart by here, too.
   * @returns the ids of those that are new
   */
  private async storeReleased(
    events: readonly QuarantinedEvent[],
    tx: Tx,
  ): Promise<{ readonly ids: string[]; readonly row: StoredRow | undefined }> {
    const storable = events.map(storableOf);
    const { inboxId, duplicates } = await this.store.storeWithin(storable, tx);
    const known = new Set(duplicates);
    const stored = storable.filter(({ id }) => !known.has(id));
    await countEvents(acceptedOf(stored), tx);
    const ids = stored.map(({ id }) => id);
    return { ids, row: inboxId === undefined ? undefined : { inboxId, events: ids.length } };
  }

  /** Of a part, by the commit that settles it; without whom it was about. */
  private async record(
    action: AuditedAction<'quarantine'>,
    { search, settled, actor }: { search: QuarantineSearch; settled: number; actor: Actor },
    tx: Tx,
  ): Promise<void> {
    const { id = '', subjects: _subjects, messageId: _messageId, ...filter } = search;
    const after = { events: settled, filter };
    await this.audit.record(tx, actor, { action, resource: 'quarantine', resourceId: id, after });
  }
}

/** They are deleted in any case. */
async function forget(): Promise<undefined> {
  return undefined;
}

async function settlePart(
  { search, after }: { readonly search: QuarantineSearch; readonly after: WalkedTo },
  settle: Settling['settle'],
  tx: Tx,
): Promise<SettledPart> {
  // An erasure that is under way must not miss what is stored now.
  await keepErasuresOut(tx);
  const events = await takeQuarantinedEvents(search, { after, limit: PART_EVENTS }, tx);
  const walkedTo = events.at(-1);
  if (walkedTo === undefined) return { events: 0, walkedTo: after };
  const row = await settle(events, tx);
  await deleteQuarantinedEvents(
    events.map(({ id }) => id),
    tx,
  );
  return { events: events.length, walkedTo, row };
}

function acceptedOf(events: readonly StorableEvent[]): EventCount[] {
  const sourceIds = events.map(({ sourceId }) => sourceId);
  return [...new Set(sourceIds)].map((sourceId) => ({
    sourceId,
    outcome: 'accepted',
    count: sourceIds.filter((id) => id === sourceId).length,
  }));
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
