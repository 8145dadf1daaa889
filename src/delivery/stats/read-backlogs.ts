import { HIGHEST_ID, lowestId, timeOfId } from '../../events/partitions/partition-plan';
import type { Tx } from '../../platform/database/database';
import { unplannedLimit, unplannedList } from '../../platform/database/statements/unplanned';
import { firstDueAtSql } from '../ledger/first-due';
import { prunedStatement } from '../ledger/pruned-statement';

/** What waits for a destination, and what was given up. */
export interface DestinationBacklog {
  readonly pending: number;
  readonly deadLetters: number;
  /** Null when nothing waits. */
  readonly oldestPendingSeconds: number | null;
  /** How late what is due first is; null when nothing is due. */
  readonly overdueSeconds: number | null;
}

interface BacklogRow {
  readonly id: string;
  readonly pending: number;
  readonly dead: number;
  readonly oldestId: string | null;
  readonly overdueSeconds: number | null;
  readonly nowMs: number;
}

/**
 * Said so that, in this order and without a sort, nothing but the index on both will do. By another index of dead ones,
 * which PostgreSQL takes for as good while there are none, those of all destinations would be read.
 */
const ofDestination = (destinationId: string): string =>
  `(destination_id, id) >= (${destinationId}, '${lowestId(0)}') and (destination_id, id) <= (${destinationId}, '${HIGHEST_ID}')`;

// The oldest is looked for among those that are due first: reading all of them could take long.
const readBacklogsSql = prunedStatement(
  'read_backlogs',
  (fromId) => `
  select d.id,
    (select count(*)::int from (
      select from delivery where destination_id = d.id and state = 'pending' and id >= ${fromId} limit ${unplannedLimit('$2')}) p) as pending,
    (select count(*)::int from (
      select from delivery where ${ofDestination('d.id')} and state = 'dead'
      order by destination_id, id limit ${unplannedLimit('$2')}) g) as dead,
    (select id from (
      select id from delivery where destination_id = d.id and state = 'pending' and id >= ${fromId}
      order by due_at limit 1000) first_due
      order by id limit 1) as "oldestId",
    extract(epoch from now() - ${firstDueAtSql('d.id', fromId)})::float8 as "overdueSeconds",
    (extract(epoch from now()) * 1000)::float8 as "nowMs"
  from unnest(${unplannedList('$1', 'uuid')}) as d(id)`,
);

/**
 * @param most where counting ends
 * @param pendingFrom no delivery with a lower id is pending
 */
export async function readBacklogs(
  destinationIds: readonly string[],
  most: number,
  pendingFrom: string,
  tx: Tx,
): Promise<Map<string, DestinationBacklog>> {
  const statement = { ...readBacklogsSql(pendingFrom), sorts: false } as const;
  const rows = await tx.query<BacklogRow>(statement, [destinationIds, most]);
  return new Map(rows.map((row) => [row.id, backlogOf(row)]));
}

function backlogOf({ pending, dead, oldestId, overdueSeconds, nowMs }: BacklogRow): DestinationBacklog {
  const seconds = oldestId === null ? null : Math.max(0, Math.round((nowMs - timeOfId(oldestId)) / 1000));
  const isDue = overdueSeconds !== null && overdueSeconds > 0;
  return {
    pending,
    deadLetters: dead,
    oldestPendingSeconds: seconds,
    overdueSeconds: isDue ? Math.round(overdueSeconds) : null,
  };
}
