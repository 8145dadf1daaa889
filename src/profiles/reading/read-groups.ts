import type { JsonObject } from '../../events/customer-event';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import { demandRoom, fittingRowsSql, roomFor, type SizedRow } from '../state/demand-room';

/** Groups in a statement: it takes what they have apart, which may be some 64 MB. */
const GROUPS_AT_ONCE = 1_000;
/** What a group counts for beside what is asked for, as all of its traits are taken apart. */
const GROUP_BYTES = 1_024;

/** Only the traits that are asked for: a group may have a lot of them. */
const fittingGroupsSql = fittingRowsSql(
  `select g.group_id as "groupId", asked.traits from customer_group g
   cross join lateral (
     select coalesce(jsonb_object_agg(key, g.traits -> key), '{}')::text as traits
     from unnest(${unplannedList('$2', 'text')}) as key where g.traits ? key
   ) as asked
   where g.group_id = any(${unplannedList('$1', 'text')})`,
  `octet_length(r.traits) + ${GROUP_BYTES}`,
  '$3',
);
const readTraitsOfGroupsSql = prepared('read_traits_of_groups')`${fittingGroupsSql}`;
const readFittingGroupsSql = prepared('read_fitting_groups')`
  select "groupId", bytes from (${fittingGroupsSql}) as fitting`;
const shareLockGroupsSql = prepared('share_lock_groups')`
  select from customer_group where group_id = any(${unplannedList('$1', 'text')}) order by group_id for share`;

interface GroupRow extends SizedRow, Record<string, unknown> {
  readonly groupId: string;
}

/** Some traits of groups. */
interface AskedGroups {
  readonly groupIds: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Some traits of the groups of so many people, by group.
 * @throws EventsTooLargeError where they are those of several, and more than a transaction may read
 */
export async function readTraitsOfGroups(
  asked: AskedGroups,
  people: number,
  tx: Tx,
): Promise<Map<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  const maxBytes = roomFor(people);
  for await (const row of readInParts<GroupRow & { traits: string }>(
    readTraitsOfGroupsSql,
    asked,
    maxBytes,
    tx,
  )) {
    demandRoom([row], maxBytes);
    found.set(row.groupId, JSON.parse(row.traits) as JsonObject);
  }
  return found;
}

/** Of these groups all, or those first ones that a transaction may read these traits of. */
export async function groupsWithRoom(asked: AskedGroups, tx: Tx): Promise<ReadonlySet<string>> {
  const fitting = new Set<string>();
  const maxBytes = roomFor(asked.groupIds.length);
  for await (const { groupId, bytes } of readInParts(readFittingGroupsSql, asked, maxBytes, tx)) {
    if (bytes > maxBytes) return fitting;
    fitting.add(groupId);
  }
  return new Set(asked.groupIds);
}

/** Keeps the traits of groups as they are until the transaction ends. */
export async function shareLockGroups(groupIds: readonly string[], tx: Tx): Promise<void> {
  await tx.query(shareLockGroupsSql, [groupIds]);
}

/** Up to the first group that has no room any more, each with the bytes of all up to it. */
async function* readInParts<Row extends GroupRow>(
  statement: PreparedStatement,
  { groupIds, keys }: AskedGroups,
  maxBytes: number,
  tx: Tx,
): AsyncGenerator<Row> {
  let beforeBytes = 0;
  for (let from = 0; from < groupIds.length && beforeBytes <= maxBytes; from += GROUPS_AT_ONCE) {
    const part = groupIds.slice(from, from + GROUPS_AT_ONCE);
    let bytes = beforeBytes;
    for (const row of await tx.query<Row>(statement, [part, keys, maxBytes - beforeBytes])) {
      bytes = Math.max(bytes, beforeBytes + row.bytes);
      yield { ...row, bytes: beforeBytes + row.bytes };
    }
    beforeBytes = bytes;
  }
}
