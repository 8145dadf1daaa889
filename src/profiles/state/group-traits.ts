import type { CustomerEvent, GroupEvent, JsonValue } from '../../events/customer-event';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { mergeTraits, type WrittenTraits } from './merge-traits';
import type { ProfileLimits } from './profile-limits';
import { groupTraitClock } from './trait-clock';

/** $1 JSON array of `{s, t, c}`: group id, traits, clocks; $2, $3 limits: bytes and keys of traits. */
const upsertGroupsStatement: PreparedStatement = {
  name: 'upsert_groups',
  text: `
    insert into customer_group as g (group_id, traits, trait_clocks)
    select s, t, c from json_to_recordset($1) as d(s text, t jsonb, c jsonb)
    order by s collate "C"
    on conflict (group_id) do update set
      (traits, trait_clocks) = (
        select m.traits, m.trait_clocks
        from profile_merge_traits(g.traits, g.trait_clocks, excluded.traits, excluded.trait_clocks, $2, $3) as m
      ),
      updated_at = now()
    where excluded.trait_clocks <> '{}'`,
};

/** Keeps what group events say about their groups: the last writer wins per trait, as with a person's. */
export async function updateGroups(
  events: readonly CustomerEvent[],
  limits: ProfileLimits,
  tx: Tx,
): Promise<void> {
  const groups = new Map<string, WrittenTraits>();
  for (const event of events) {
    if (event.type !== 'group') continue;
    const groupId = event.groupId;
    const traits = groups.get(groupId) ?? new Map();
    mergeTraits(traits, writtenBy(event), limits);
    groups.set(groupId, traits);
  }
  if (groups.size === 0) return;
  const rows = [...groups].map(([groupId, traits]) => rowOf(groupId, [...traits]));
  await tx.query(upsertGroupsStatement, [JSON.stringify(rows), limits.maxTraitBytes, limits.maxTraitKeys]);
}

function writtenBy(event: GroupEvent): [string, { value: JsonValue; clock: string }][] {
  const clock = groupTraitClock(event);
  return Object.entries(event.traits ?? {}).map(([key, value]) => [key, { value, clock }]);
}

function rowOf(groupId: string, written: [string, { value: JsonValue; clock: string }][]): JsonValue {
  const set = written.filter(([, { value }]) => value !== null);
  return {
    s: groupId,
    t: Object.fromEntries(set.map(([key, { value }]) => [key, value])),
    c: Object.fromEntries(written.map(([key, { clock }]) => [key, clock])),
  };
}
