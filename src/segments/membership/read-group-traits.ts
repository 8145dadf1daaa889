import type { JsonObject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { holdGroups, readTraitsOfGroups } from '../../profiles/reading/read-groups';

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
  return readTraitsOfGroups([...groupIds], [...new Set(keys)], tx);
}

/** The traits of the groups of one person, as far as they were read. */
export function groupTraitsIn(work: GroupedWork, traits: ReadonlyMap<string, JsonObject>): JsonObject[] {
  if (traits.size === 0 || !asksAboutGroups(work)) return [];
  return work.facts.groups.map((groupId) => traits.get(groupId)).filter((found) => found !== undefined);
}

/** Keeps the traits of these people's groups as they are until the transaction ends. */
export async function holdGroupsOf(work: readonly GroupedWork[], tx: Tx): Promise<void> {
  const groupIds = new Set(work.filter(asksAboutGroups).flatMap(({ facts }) => facts.groups));
  if (groupIds.size > 0) await holdGroups([...groupIds], tx);
}

function asksAboutGroups({ generations }: GroupedWork): boolean {
  return generations.some(({ groupTraits }) => groupTraits.length > 0);
}
