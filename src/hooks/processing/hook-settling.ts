import { Injectable } from '@nestjs/common';
import { isJsonObject, type Subject } from '../../events/customer-event';
import { keepErasuresOut } from '../../events/erasure-gate';
import { EventStore } from '../../events/event-store';
import { HandOver } from '../../events/inbox/hand-over';
import type { StoredRow } from '../../events/inbox/rows-at-hand';
import { ownersAmong, subjectsNamedIn } from '../../events/subject';
import type { IndexedEvent, EventToQuarantine } from '../../ingestion/parsing/check-events';
import { type KeptApart, QuarantineLog } from '../../ingestion/quarantine-log';
import { Database, type Tx } from '../../platform/database/database';
import { Suppressions } from '../../profiles/suppressions';
import { deleteLeasedRequests, failLeasedRequest } from '../requests/hook-leases';
import type { FailedHook, MadeEvents, RejectionNote } from './hook-events';

/** What became of the events of a request. */
export interface SettledHook extends MadeEvents {
  /** Without those of somebody who is suppressed, or that name somebody who was erased since the request came. */
  readonly valid: readonly IndexedEvent[];
  readonly quarantined: readonly EventToQuarantine[];
  /** Ids of those of `valid` that had been accepted before. */
  readonly duplicates: ReadonlySet<string>;
}

/** Ends the leases of requests. */
@Injectable()
export class HookSettling {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly quarantine: QuarantineLog,
    private readonly suppressions: Suppressions,
    private readonly handOver: HandOver,
  ) {}

  /**
   * Stores the events and deletes their requests by one commit: nothing is in both places, or in none, whenever this
   * process dies.
   * @returns those that were still leased
   */
  async storeAll(all: readonly MadeEvents[]): Promise<SettledHook[]> {
    const made = await Promise.all(all.map((one) => this.keepApart(one)));
    const { settled, row } = await this.database.transaction((tx) => this.storeWithin(made, tx));
    if (row !== undefined) this.handOver.handOverRow(row);
    return settled;
  }

  /**
   * Has a request wait for people, unless it has events that are refused: then it may not be kept.
   * @returns `lost`: it was leased no more
   */
  fail({ request, failure }: FailedHook): Promise<'waits' | 'lost' | 'refused'> {
    return this.database.transaction(async (tx) => {
      await keepErasuresOut(tx);
      const { subjects, owners } = failure;
      const [refused] = await this.suppressions.findRefused([{ id: request.id, subjects, owners }], tx);
      if (refused !== undefined) return 'refused';
      return (await failLeasedRequest(request, failure, tx)) ? 'waits' : 'lost';
    });
  }

  /** What is noted of a request that may not be kept: without what names those for whom it may not. */
  async notesOfOthers({ notes }: FailedHook): Promise<RejectionNote[]> {
    const refused = new Set(await this.suppressions.findRefused(notes, this.database));
    return notes.filter((note) => !refused.has(note));
  }

  /** As often as it is done: what is in quarantine already stays as it is. */
  private async keepApart(made: MadeEvents): Promise<SettledHook> {
    const { checked } = made;
    const { quarantined, known } =
      checked.quarantined.length === 0
        ? { quarantined: [], known: [] }
        : await this.database.transaction((tx) => this.quarantineWithin(made, tx));
    return { ...made, quarantined, valid: [...checked.valid, ...known], duplicates: new Set() };
  }

  private async quarantineWithin({ request, checked }: MadeEvents, tx: Tx): Promise<KeptApart> {
    await keepErasuresOut(tx);
    const idOf = ({ event }: EventToQuarantine): { id: string; event: IndexedEvent } => ({
      id: request.id,
      event,
    });
    return this.quarantine.keepEvents(await this.withoutRefused(checked.quarantined, idOf, tx), tx);
  }

  private async storeWithin(
    made: readonly SettledHook[],
    tx: Tx,
  ): Promise<{ readonly settled: SettledHook[]; readonly row: StoredRow | undefined }> {
    // An erasure that is under way must not miss what is stored now.
    await keepErasuresOut(tx);
    const mine = await deleteLeasedRequests(
      made.map(({ request }) => request),
      tx,
    );
    const settled = made.filter(({ request }) => mine.has(request.id));
    const events = settled.flatMap(({ request, valid }) => valid.map((event) => ({ id: request.id, event })));
    const allowed = new Set((await this.withoutRefused(events, (one) => one, tx)).map(({ event }) => event));
    const { row, stored } = await this.storeNew(firstOfEachKey(allowed), tx);
    return {
      settled: settled.map((one) => {
        const valid = one.valid.filter((event) => allowed.has(event));
        return { ...one, valid, duplicates: without(valid, stored) };
      }),
      row,
    };
  }

  private async storeNew(
    events: readonly IndexedEvent[],
    tx: Tx,
  ): Promise<{ readonly row: StoredRow | undefined; readonly stored: ReadonlySet<string> }> {
    const stored = new Set(events.map(({ id }) => id));
    if (events.length === 0) return { row: undefined, stored };
    const { inboxId, duplicates } = await this.store.storeWithin(events, tx);
    for (const id of duplicates) stored.delete(id);
    return { row: inboxId === undefined ? undefined : { inboxId, events: stored.size }, stored };
  }

  /** Those of nobody who is suppressed, that name nobody who was erased since the request came. */
  private async withoutRefused<T>(
    items: readonly T[],
    eventOf: (item: T) => { readonly id: string; readonly event: IndexedEvent },
    tx: Tx,
  ): Promise<T[]> {
    const named = items.map((item) => {
      const { id, event } = eventOf(item);
      const subjects = subjectsOf(event);
      return { id, subjects, owners: ownersAmong(subjects), item };
    });
    const refused = new Set(await this.suppressions.findRefused(named, tx));
    return named.filter((one) => !refused.has(one)).map(({ item }) => item);
  }
}

/** As a group commit and later ones have it: the first stays. */
function firstOfEachKey(events: Iterable<IndexedEvent>): IndexedEvent[] {
  const firsts = new Map<string, IndexedEvent>();
  for (const event of events) if (!firsts.has(event.key)) firsts.set(event.key, event);
  return [...firsts.values()];
}

function without(events: readonly IndexedEvent[], stored: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(events.map(({ id }) => id).filter((id) => !stored.has(id)));
}

function subjectsOf({ subject, payload }: IndexedEvent): Subject[] {
  const event: unknown = JSON.parse(payload.toString());
  return [...new Set([subject, ...(isJsonObject(event) ? subjectsNamedIn(event) : [])])];
}
