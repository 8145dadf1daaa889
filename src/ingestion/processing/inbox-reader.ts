import { Injectable } from '@nestjs/common';
import type { CustomerEvent } from '../../events/customer-event';
import { EventStore } from '../../events/event-store';
import { traceEvent } from '../../events/event-trace';
import { noteAcceptance } from '../../events/inbox/acceptance';
import { EventsTooLargeError } from '../../events/inbox/events-too-large.error';
import {
  type FirstOfRow,
  type InboxRow,
  lockInboxRow,
  shortenInboxRow,
  takeFirstOfInboxRow,
  takeFurtherInboxRows,
  takeInboxRows,
} from '../../events/inbox/inbox-rows';
import type { Tx } from '../../platform/database/database';
import { LostRaceError } from '../../platform/database/failure';
import { Suppressions } from '../../profiles/suppressions';

/** While more events wait, one transaction takes several inbox rows: people with many events are updated less often. */
const TRANSACTION_EVENTS = 1_000;
/** Rows looked at beyond the first. Under load a row holds hundreds of events. */
const MAX_FURTHER_ROWS = 32;

/**
 * Bytes of JSON that all jobs of a process may have in hand together. Parsed they may take 24 times that, some 100 MB.
 * A thousand usual events have 0.6 MB.
 */
const MAX_BYTES_IN_HAND = 4 * 1024 * 1024;
/** While PostgreSQL works for one job, Node works for another one. */
export const JOBS_AT_ONCE = 2;
export const MAX_TRANSACTION_BYTES = MAX_BYTES_IN_HAND / JOBS_AT_ONCE;

/** Events that a transaction has taken out of the inbox. */
interface Taken {
  readonly events: CustomerEvent[];
  /** How many more there were, of people who are suppressed: they are deleted. */
  readonly suppressed: number;
}

/** What a transaction processes. */
interface TakenEvents extends Taken {
  /**
   * That they are this transaction's, which may turn out later where it knows the events before PostgreSQL has answered.
   * Rejects with a lost race when they are not.
   */
  readonly confirmed: Promise<void>;
}

/** Some events of an inbox row. */
interface InboxPart extends Taken {
  /** Whether the row has more. */
  readonly hasMore: boolean;
}

const NOTHING_TAKEN: Taken = { events: [], suppressed: 0 };

/** Others have some of the events that this process has stored, or have deleted them. What it knows is of no more use. */
class RowsGoneError extends LostRaceError {
  constructor() {
    super('Others took events that were at hand; the rest is taken again.');
  }
}

/** Takes accepted events out of the inbox. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly eventStore: EventStore,
    private readonly suppressions: Suppressions,
  ) {}

  /**
   * Removes the inbox rows, `andFurther` some more when many wait, in the caller's transaction, and answers their
   * events; nothing when other workers have the rows or had them.
   * @throws EventsTooLargeError
   */
  async takeEvents(inboxIds: readonly string[], andFurther: boolean, tx: Tx): Promise<TakenEvents> {
    const fresh = andFurther ? undefined : this.eventStore.takeFresh(inboxIds);
    if (fresh !== undefined) return this.takeFresh(fresh, inboxIds, tx);
    return { confirmed: Promise.resolve(), ...(await this.takeStored(inboxIds, andFurther, tx)) };
  }

  /**
   * Removes the first events of an inbox row in the caller's transaction: as many as have `maxBytes` together, or one.
   */
  async takePart(inboxId: string, maxBytes: number, tx: Tx): Promise<InboxPart> {
    const rows = await lockInboxRow(inboxId, tx);
    if (rows.length === 0) return { hasMore: false, ...NOTHING_TAKEN };
    const { events, firstLeft } = await this.eventStore.readFirstEventsOf(rows, maxBytes, tx);
    await shortenInboxRow(inboxId, firstLeft, tx);
    return { hasMore: firstLeft !== undefined, ...(await this.complete(events, rows, tx)) };
  }

  /**
   * Removes the first event of the inbox row in the caller's transaction, and answers its key.
   * @param expected its id, if it matters
   */
  takeFirst(inboxId: string, tx: Tx, expected?: string): Promise<FirstOfRow | undefined> {
    return takeFirstOfInboxRow(inboxId, tx, expected);
  }

  /** The event of this key, if it is still stored; that of a person who is suppressed is deleted instead. */
  async readOne(key: FirstOfRow, tx: Tx): Promise<Taken> {
    const taken = await this.withoutSuppressed(await this.eventStore.readEvents([key], tx), tx);
    noteAcceptance(taken.events, [{ accepted: key.accepted, ids: `{${key.id}}` }]);
    return taken;
  }

  private async takeStored(inboxIds: readonly string[], andFurther: boolean, tx: Tx): Promise<Taken> {
    const rows = await takeInboxRows(inboxIds, tx);
    if (rows.length === 0) return NOTHING_TAKEN;
    if (andFurther) rows.push(...(await takeFurther(countOf(rows), tx)));
    const { events, firstLeft } = await this.eventStore.readFirstEventsOf(rows, MAX_TRANSACTION_BYTES, tx);
    if (firstLeft !== undefined) throw new EventsTooLargeError();
    return this.complete(events, rows, tx);
  }

  /** The events are known: what is done with them first travels with the taking of their rows. */
  private async takeFresh(fresh: CustomerEvent[], inboxIds: readonly string[], tx: Tx): Promise<TakenEvents> {
    const taking = takeInboxRows(inboxIds, tx);
    taking.catch(() => undefined); // Whoever waits for it reports it.
    const taken = await this.withoutSuppressed(fresh, tx);
    const confirmed = taking.then((rows) => {
      // Rows only ever shrink: as many rows with as many events have these.
      if (rows.length < inboxIds.length || countOf(rows) < fresh.length) throw new RowsGoneError();
      noteAcceptance(taken.events, rows);
    });
    confirmed.catch(() => undefined);
    return { confirmed, ...taken };
  }

  private async complete(events: CustomerEvent[], rows: readonly InboxRow[], tx: Tx): Promise<Taken> {
    const taken = await this.withoutSuppressed(events, tx);
    for (const { traces } of rows) if (traces) markTraced(taken.events, traces);
    noteAcceptance(taken.events, rows);
    return taken;
  }

  private async withoutSuppressed(events: CustomerEvent[], tx: Tx): Promise<Taken> {
    const suppressed = new Set(await this.suppressions.findEarly(events, tx));
    if (suppressed.size === 0) return { events, suppressed: 0 };
    await this.eventStore.deleteEvents([...suppressed], tx);
    return { events: events.filter((event) => !suppressed.has(event)), suppressed: suppressed.size };
  }
}

async function takeFurther(events: number, tx: Tx): Promise<InboxRow[]> {
  const room = TRANSACTION_EVENTS - events;
  if (room <= 0) return [];
  return takeFurtherInboxRows(room, MAX_FURTHER_ROWS, tx);
}

function markTraced(events: readonly CustomerEvent[], traces: Readonly<Record<string, string>>): void {
  for (const event of events) {
    const traceparent = traces[event.id];
    if (traceparent !== undefined) traceEvent(event, traceparent);
  }
}

function countOf(rows: readonly InboxRow[]): number {
  return rows.reduce((sum, { events }) => sum + events, 0);
}
