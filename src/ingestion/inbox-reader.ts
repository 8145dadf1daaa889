import { Injectable } from '@nestjs/common';
import type { CustomerEvent, EventKey, Subject } from '../events/customer-event';
import { EventStore } from '../events/event-store';
import type { PreparedStatement, Tx } from '../platform/database/database';

/** The arrays of an inbox row; the same position is the same event. */
interface InboxRow {
  readonly subjects: Subject[];
  readonly timestamps: string[];
  readonly event_ids: string[];
}

/**
 * While more events than these wait, one transaction takes several inbox rows: fewer, fuller transactions.
 */
const BATCH_EVENTS = 500;
/** Rows looked at beyond the first; each holds at least one event. */
const MAX_FURTHER_ROWS = 200;

const takeRowStatement: PreparedStatement = {
  name: 'take_inbox_row',
  text: `
    delete from inbox where id = (select id from inbox where id = $1 for update skip locked)
    returning subjects, timestamps::text[], event_ids`,
};

/** Takes waiting rows, oldest first, until they hold $1 events; at least one row, at most $2. */
const takeFurtherRowsStatement: PreparedStatement = {
  name: 'take_further_inbox_rows',
  text: `
    with waiting as materialized (
      select id, cardinality(event_ids) as events from inbox order by id limit $2 for update skip locked
    ), chosen as (
      select id from (select id, sum(events) over (order by id) as total from waiting) as w where total <= $1
    )
    delete from inbox where id in (select id from chosen)
    returning subjects, timestamps::text[], event_ids`,
};

/** Takes accepted events out of the inbox. */
@Injectable()
export class InboxReader {
  constructor(private readonly eventStore: EventStore) {}

  /**
   * Removes the inbox row, and some more when many wait, in the caller's transaction, and answers their events in
   * order of arrival; nothing when another worker has the row or had it.
   */
  async take(inboxId: string, tx: Tx): Promise<CustomerEvent[]> {
    const rows = await tx.query<InboxRow & Record<string, unknown>>(takeRowStatement, [inboxId]);
    if (rows.length === 0) return [];
    const room = BATCH_EVENTS - keysOf(rows).length;
    if (room > 0)
      rows.push(
        ...(await tx.query<InboxRow & Record<string, unknown>>(takeFurtherRowsStatement, [
          room,
          MAX_FURTHER_ROWS,
        ])),
      );
    return this.eventStore.readEvents(keysOf(rows), tx);
  }
}

function keysOf(rows: readonly InboxRow[]): EventKey[] {
  return rows.flatMap(({ subjects, timestamps, event_ids }) =>
    event_ids.map((id, index) => ({
      subject: subjects[index] ?? 'u:',
      timestamp: timestamps[index] ?? '',
      id,
    })),
  );
}
