import type { CustomerEvent } from '../customer-event';

/** A row of the inbox that events were taken from. */
export interface AcceptedRow {
  /** Rows that were answered before others began to be sent have lower numbers. As PostgreSQL writes it. */
  readonly accepted: string;
  /** Of its events, as PostgreSQL writes an array. */
  readonly ids: string;
}

/** The rows that events of a transaction came from; looked at by those only who need an order. */
const rowsOf = new WeakMap<readonly CustomerEvent[], readonly AcceptedRow[]>();

/** Remembers where these events, all of them together, were taken from. */
export function noteAcceptance(events: readonly CustomerEvent[], rows: readonly AcceptedRow[]): void {
  rowsOf.set(events, rows);
}

/** The number of acceptance by event id; of events that no row brought there is none. */
export function acceptanceOf(events: readonly CustomerEvent[]): (eventId: string) => string | undefined {
  const rows = rowsOf.get(events) ?? [];
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return () => only.accepted;
  const numbers = new Map<string, string>();
  for (const { accepted, ids } of rows)
    for (const id of ids.slice(1, -1).split(',')) numbers.set(id, accepted);
  return (eventId) => numbers.get(eventId);
}
