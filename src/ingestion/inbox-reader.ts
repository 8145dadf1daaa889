import { Injectable } from '@nestjs/common';
import type { CustomerEvent, EventKey, Subject } from '../events/customer-event';
import type { EventKeyArrays } from '../events/event-key-arrays';
import { EventStore } from '../events/event-store';
import { traceEvent } from '../events/event-trace';
import type { Counter } from 'prom-client';
import type { PreparedStatement, Tx } from '../platform/database/database';
import { Metrics } from '../platform/metrics/metrics';
import { Suppressions } from '../profiles/suppressions';

/** The keys of an inbox row, and how many they are. */
interface InboxRow extends EventKeyArrays {
  readonly events: number;
  /** The traceparent by event id, for those that are traced. */
  readonly traces: Readonly<Record<string, string>> | null;
}

/** The columns of {@link InboxRow}. The keys only pass through here on their way back. */
const rowColumnsSql = `
  subjects::text as subjects, timestamps::text as timestamps, event_ids::text as ids,
  (select id from unnest(event_ids) as id order by id limit 1) as "lowestId",
  (select id from unnest(event_ids) as id order by id desc limit 1) as "highestId",
  cardinality(event_ids) as events, traces`;

/** The first event of an inbox row. */
interface FirstRow {
  readonly subject: Subject;
  readonly timestamp: string;
  readonly id: string;
}

/** While more events wait, one transaction takes several inbox rows: people with many events are updated less often. */
const BATCH_EVENTS = 1_000;
/** Rows looked at beyond the first. Under load a row holds hundreds of events. */
const MAX_FURTHER_ROWS = 32;

const takeRowsStatement: PreparedStatement = {
  name: 'take_inbox_rows',
  text: `
    delete from inbox where id = any(array(select id from inbox where id = any($1::uuid[]) for update skip locked))
    returning ${rowColumnsSql}`,
};

/** Takes of the $2 oldest rows as many as hold $1 events together; fewer when other workers want the same ones. */
const takeFurtherRowsStatement: PreparedStatement = {
  name: 'take_further_inbox_rows',
  text: `
    with waiting as materialized (
      select id, cardinality(event_ids) as events from inbox order by id limit $2
    ), chosen as materialized (
      select id from (select id, sum(events) over (order by id) as total from waiting) as w where total <= $1
    ), locked as materialized (
      select id from inbox where id = any(array(select id from chosen)) for update skip locked
    )
    delete from inbox where id = any(array(select id from locked))
    returning ${rowColumnsSql}`,
};

/** The keys of a row that no other worker has. */
const lockRowStatement: PreparedStatement = {
  name: 'lock_inbox_row',
  text: `select ${rowColumnsSql} from inbox where id = $1 for update skip locked`,
};

/** Takes out of a row what stands before the event $2, or, when that is null, everything. */
const shortenRowStatement: PreparedStatement = {
  name: 'shorten_inbox_row',
  text: `
    with left_from as (
      select id, array_position(event_ids, $2::uuid) as position from inbox where id = $1
    ), shortened as (
      update inbox as i set
        subjects = subjects[f.position:], timestamps = timestamps[f.position:], event_ids = event_ids[f.position:]
      from left_from as f where i.id = f.id and f.position is not null
    )
    delete from inbox as i using left_from as f where i.id = f.id and f.position is null`,
};

/** Takes the first event out of a row. A row that another worker has is left to it. */
const takeFirstStatement: PreparedStatement = {
  name: 'take_first_of_inbox_row',
  text: `
    with taken as materialized (
      select id, subjects, timestamps, event_ids from inbox where id = $1 for update skip locked
    ), shortened as (
      update inbox as i set
        subjects = t.subjects[2:], timestamps = t.timestamps[2:], event_ids = t.event_ids[2:]
      from taken as t where i.id = t.id and cardinality(t.event_ids) > 1
    ), emptied as (
      delete from inbox as i using taken as t where i.id = t.id and cardinality(t.event_ids) = 1
    )
    select subjects[1] as subject, timestamps[1]::text as "timestamp", event_ids[1] as id from taken`,
};

/**
 * Bytes of JSON that all jobs of a process may have in hand together. Parsed they may take 24 times that, some 100 MB.
 * A thousand usual events have 0.6 MB.
 */
const MAX_BYTES_IN_HAND = 4 * 1024 * 1024;
/** While PostgreSQL works for one job, Node works for another one. */
export const JOBS_AT_ONCE = 2;
const MAX_BATCH_BYTES = MAX_BYTES_IN_HAND / JOBS_AT_ONCE;

/** The events have more bytes of JSON than a batch may have: take them in parts. */
export class BatchTooLargeError extends Error {}

/** Some events of an inbox row. */
export interface InboxPart {
  readonly events: CustomerEvent[];
  /** Whether the row has more. */
  readonly hasMore: boolean;
}

/** Takes accepted events out of the inbox. */
@Injectable()
export class InboxReader {
  private readonly dropped: Counter;

  constructor(
    private readonly eventStore: EventStore,
    private readonly suppressions: Suppressions,
    metrics: Metrics,
  ) {
    this.dropped = metrics.counter({
      name: 'suppressed_events_total',
      help: 'Accepted events that were dropped because the person is suppressed.',
    });
  }

  /**
   * Removes the inbox rows, and some more when many wait, in the caller's transaction, and answers their events;
   * nothing when other workers have the rows or had them.
   * @throws BatchTooLargeError
   */
  async take(inboxIds: readonly string[], tx: Tx): Promise<CustomerEvent[]> {
    const rows = await tx.query<InboxRow & Record<string, unknown>>(takeRowsStatement, [inboxIds]);
    if (rows.length === 0) return [];
    rows.push(...(await takeFurther(countOf(rows), tx)));
    const { events, firstLeft } = await this.eventStore.readFirstEventsOf(rows, MAX_BATCH_BYTES, tx);
    if (firstLeft !== undefined) throw new BatchTooLargeError();
    return this.complete(events, rows, tx);
  }

  /** Removes the first events of an inbox row in the caller's transaction, as many as a batch may have. */
  async takePart(inboxId: string, tx: Tx): Promise<InboxPart> {
    const rows = await tx.query<InboxRow & Record<string, unknown>>(lockRowStatement, [inboxId]);
    if (rows.length === 0) return { events: [], hasMore: false };
    const { events, firstLeft } = await this.eventStore.readFirstEventsOf(rows, MAX_BATCH_BYTES, tx);
    await tx.query(shortenRowStatement, [inboxId, firstLeft ?? null]);
    return { events: await this.complete(events, rows, tx), hasMore: firstLeft !== undefined };
  }

  /** Removes the first event of the inbox row in the caller's transaction, and answers its key. */
  async takeFirst(inboxId: string, tx: Tx): Promise<EventKey | undefined> {
    const [first] = await tx.query<FirstRow & Record<string, unknown>>(takeFirstStatement, [inboxId]);
    return first;
  }

  /** The event of this key, if it is still stored; that of a person who is suppressed is deleted instead. */
  async readOne(key: EventKey, tx: Tx): Promise<CustomerEvent[]> {
    return this.withoutSuppressed(await this.eventStore.readEvents([key], tx), tx);
  }

  private async complete(
    events: CustomerEvent[],
    rows: readonly InboxRow[],
    tx: Tx,
  ): Promise<CustomerEvent[]> {
    const wanted = await this.withoutSuppressed(events, tx);
    for (const { traces } of rows) if (traces) markTraced(wanted, traces);
    return wanted;
  }

  private async withoutSuppressed(events: CustomerEvent[], tx: Tx): Promise<CustomerEvent[]> {
    const suppressed = new Set(await this.suppressions.findEarly(events, tx));
    if (suppressed.size === 0) return events;
    await this.eventStore.deleteEvents([...suppressed], tx);
    this.dropped.inc(suppressed.size);
    return events.filter((event) => !suppressed.has(event));
  }
}

async function takeFurther(events: number, tx: Tx): Promise<(InboxRow & Record<string, unknown>)[]> {
  const room = BATCH_EVENTS - events;
  if (room <= 0) return [];
  return tx.query<InboxRow & Record<string, unknown>>(takeFurtherRowsStatement, [room, MAX_FURTHER_ROWS]);
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
