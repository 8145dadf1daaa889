import type { CustomerEvent } from '../../events/customer-event';
import { readNewestEvents } from '../../events/reading/newest-events';
import type { Database } from '../../platform/database/database';
import { readPeople } from '../routing/person-of-event';
import { type Route, RoutingTable } from '../routing/routing-table';

const MAX_QUERY_MS = 10_000;

/** Which events pass. Undefined: none. */
type Passing = Pick<Route<true>, 'sources' | 'filter'> | undefined;

interface JudgedEvent {
  readonly event: CustomerEvent;
  readonly passes: boolean;
}

/** Judges the newest `last` events that are stored, as if they came now; the newest first. */
export function judgeNewestEvents(
  { last, passing, retentionDays }: { last: number; passing: Passing; retentionDays: number },
  database: Database,
): Promise<JudgedEvent[]> {
  const table = new RoutingTable(passing === undefined ? [] : [{ destination: true, ...passing }]);
  return database.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = ${MAX_QUERY_MS}`);
    const newest = await readNewestEvents(last, tx);
    const personOf = await readPeople(newest, table, retentionDays, tx);
    const nowMs = Date.now();
    return newest.map((event) => ({ event, passes: table.match(event, personOf(event), nowMs).length > 0 }));
  });
}
