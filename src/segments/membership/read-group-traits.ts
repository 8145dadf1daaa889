import type { JsonObject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';

/** Only what rules ask about: a group may have a lot of traits. */
const readGroupTraitsSql = {
  name: 'segment-read-group-traits',
  text: `
    select g.group_id as "groupId", coalesce(
      (select jsonb_object_agg(key, g.traits -> key) from unnest($2::text[]) as key where g.traits ? key), '{}'
    ) as traits
    from customer_group g where g.group_id = any($1::text[])`,
};
const holdGroupsSql = {
  name: 'segment-hold-groups',
  text: 'select from customer_group where group_id = any($1::text[]) order by group_id for share',
};

/** Whose groups' traits are needed, and which. */
export interface GroupedWork {
  readonly facts: { readonly groups: readonly string[] };
  readonly generations: readonly { readonly groupTraits: readonly string[] }[];
}

/** The traits of groups that these definitions look at, by group; no statement where they look at none. */
export async function readGroupTraits(
  work: readonly GroupedWork[],
  tx: Tx,
): Promise<ReadonlyMap<string, JsonObject>> {
  const asking = work.filter(asksAboutGroups);
  if (asking.length === 0) return new Map();
  const keys = asking.flatMap(({ generations }) => generations.flatMap(({ groupTraits }) => groupTraits));
  const groupIds = new Set(asking.flatMap(({ facts }) => facts.groups));
  if (groupIds.size === 0) return new Map();
  const groups = await tx.query<{ groupId: string; traits: JsonObject }>(readGroupTraitsSql, [
    [...groupIds],
    [...new Set(keys)],
  ]);
  return new Map(groups.map(({ groupId, traits }) => [groupId, traits]));
}

/** The traits of the groups of one person, as far as they were read. */
export function groupTraitsIn(work: GroupedWork, traits: ReadonlyMap<string, JsonObject>): JsonObject[] {
  if (traits.size === 0 || !asksAboutGroups(work)) return [];
  return work.facts.groups.map((groupId) => traits.get(groupId)).filter((found) => found !== undefined);
}

/** Keeps the traits of these people's groups as they are until the transaction ends. */
export async function holdGroups(work: readonly GroupedWork[], tx: Tx): Promise<void> {
  const groupIds = new Set(work.filter(asksAboutGroups).flatMap(({ facts }) => facts.groups));
  if (groupIds.size > 0) await tx.query(holdGroupsSql, [[...groupIds]]);
}

function asksAboutGroups({ generations }: GroupedWork): boolean {
  return generations.some(({ groupTraits }) => groupTraits.length > 0);
}
