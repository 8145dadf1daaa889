import type { JsonObject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';

/** Only the traits that are asked for: a group may have a lot of them. */
const readTraitsOfGroupsSql = prepared('read_traits_of_groups')`
    select g.group_id as "groupId", coalesce(
      (select jsonb_object_agg(key, g.traits -> key) from unnest(${unplannedList('$2', 'text')}) as key where g.traits ? key), '{}'
    ) as traits
    from customer_group g where g.group_id = any(${unplannedList('$1', 'text')})`;
const holdGroupsSql = prepared('hold_groups')`
  select from customer_group where group_id = any(${unplannedList('$1', 'text')}) order by group_id for share`;

/** Some traits of groups, by group. */
export async function readTraitsOfGroups(
  groupIds: readonly string[],
  keys: readonly string[],
  tx: Tx,
): Promise<Map<string, JsonObject>> {
  const rows = await tx.query<{ groupId: string; traits: JsonObject }>(readTraitsOfGroupsSql, [
    groupIds,
    keys,
  ]);
  return new Map(rows.map(({ groupId, traits }) => [groupId, traits]));
}

/** Keeps the traits of groups as they are until the transaction ends. */
export async function holdGroups(groupIds: readonly string[], tx: Tx): Promise<void> {
  await tx.query(holdGroupsSql, [groupIds]);
}
