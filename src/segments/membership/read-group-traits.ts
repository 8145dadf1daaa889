import type { JsonObject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { groupsWithRoom, shareLockGroups, readTraitsOfGroups } from '../../profiles/reading/read-groups';

/** Whose groups' traits are needed, and which. */
interface GroupedWork {
  readonly facts: { readonly groups: readonly string[] };
  readonly generations: readonly { readonly groupTraits: readonly string[] }[];
}

/**
 * The traits of groups that these definitions look at, by group; no statement where they look at none.
 * @throws EventsTooLargeError where several people have groups with more than a transaction may read
 */
export async function readGroupTraits(
  work: readonly GroupedWork[],
  tx: Tx,
): Promise<ReadonlyMap<string, JsonObject>> {
  const asking = work.filter(asksAboutGroups);
  const asked = askedBy(asking);
  return asked.groupIds.length === 0 ? new Map() : readTraitsOfGroups(asked, asking.length, tx);
}

/**
 * Of these people all, or those whose groups have no more traits together than a transaction may read, of whom there is
 * one at least: for work that can be left.
 */
export async function peopleWithRoom<Work extends GroupedWork>(
  work: readonly Work[],
  tx: Tx,
): Promise<readonly Work[]> {
  const asking = work.filter(asksAboutGroups);
  const asked = askedBy(asking);
  if (asking.length < 2 || asked.groupIds.length === 0) return work;
  const groups = await groupsWithRoom(asked, tx);
  const fitting = asking.filter(({ facts }) => facts.groups.every((groupId) => groups.has(groupId)));
  const left = new Set(asking);
  for (const each of fitting.length === 0 ? asking.slice(0, 1) : fitting) left.delete(each);
  return work.filter((each) => !left.has(each));
}

/** The traits of the groups of one person, as far as they were read. */
export function groupTraitsIn(work: GroupedWork, traits: ReadonlyMap<string, JsonObject>): JsonObject[] {
  if (traits.size === 0 || !asksAboutGroups(work)) return [];
  return work.facts.groups.map((groupId) => traits.get(groupId)).filter((found) => found !== undefined);
}

/** Keeps the traits of these people's groups as they are until the transaction ends. */
export async function shareLockGroupsOf(work: readonly GroupedWork[], tx: Tx): Promise<void> {
  const { groupIds } = askedBy(work.filter(asksAboutGroups));
  if (groupIds.length > 0) await shareLockGroups(groupIds, tx);
}

function askedBy(asking: readonly GroupedWork[]): { groupIds: string[]; keys: string[] } {
  const keys = asking.flatMap(({ generations }) => generations.flatMap(({ groupTraits }) => groupTraits));
  return {
    groupIds: [...new Set(asking.flatMap(({ facts }) => facts.groups))],
    keys: [...new Set(keys)],
  };
}

function asksAboutGroups({ generations }: GroupedWork): boolean {
  return generations.some(({ groupTraits }) => groupTraits.length > 0);
}
