import type { StorableEvent } from '../event-store';

/** What is kept at most, in bytes of JSON. Rows wait for some milliseconds for their job. */
const MAX_BYTES = 1024 * 1024;

interface FreshRow {
  /** In the order of the row. */
  readonly events: readonly StorableEvent[];
  readonly bytes: number;
}

/**
 * Inbox rows that this process has just written, with their events. As a rule it is the same process that takes them
 * out, and need not read what it has written a moment ago. The row decides: what is not in it any more is not
 * processed.
 */
export class FreshRows {
  /** The oldest first. */
  private readonly rows = new Map<string, FreshRow>();
  private bytes = 0;

  keep(inboxId: string, events: readonly StorableEvent[]): void {
    const bytes = events.reduce((sum, { payload }) => sum + payload.length, 0);
    this.rows.set(inboxId, { events: events.toSorted(byId), bytes });
    this.bytes += bytes;
    for (const oldest of this.rows.keys()) {
      if (this.bytes <= MAX_BYTES) return;
      this.forget(oldest);
    }
  }

  /** The events of these rows, once, in the order of rows; undefined when not all of them are here. */
  takeEvents(inboxIds: readonly string[]): StorableEvent[] | undefined {
    const rows = inboxIds.toSorted().map((inboxId) => this.forget(inboxId));
    return rows.includes(undefined) ? undefined : rows.flatMap((row) => row?.events ?? []);
  }

  private forget(inboxId: string): FreshRow | undefined {
    const row = this.rows.get(inboxId);
    if (row !== undefined && this.rows.delete(inboxId)) this.bytes -= row.bytes;
    return row;
  }
}

/** UUIDs in lower case: text sorts as PostgreSQL does. */
function byId(a: StorableEvent, b: StorableEvent): number {
  return a.id < b.id ? -1 : 1;
}
