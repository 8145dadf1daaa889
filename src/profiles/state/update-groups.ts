import type { CustomerEvent, GroupEvent } from '../../events/customer-event';
import { textArray } from '../../platform/database/statements/binary-arrays';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import type { TouchedGroup } from '../touched-group';
import { demandRoom, fittingRowsSql, roomFor, type SizedRow } from './demand-room';
import { mergeTraits, UNLIMITED, type WrittenTrait, type WrittenTraits } from './merge-traits';
import type { ProfileLimits } from './profile-limits';
import { addToStored, type StoredTraits } from './stored-traits';
import { traitClock } from './trait-clock';

interface StoredGroup extends StoredTraits {
  readonly group_id: string;
}

const insertGroupsSql = `
    insert into customer_group as g (group_id, traits, trait_clocks)
    select s, t::jsonb, c::jsonb from unnest($1::text[], $2::text[], $3::text[]) as d(s, t, c)
    order by s collate "C"
    on conflict (group_id) do update set`;

/** As of profiles, see `lock-profiles.ts`: makes what is missing, locks what is there. */
const lockGroupsSql = prepared('lock_groups')`
  ${insertGroupsSql} updated_at = g.updated_at where false returning group_id`;

const readGroupsSql = prepared('read_groups')`
    ${fittingRowsSql(
      `select group_id, traits::text as traits, trait_clocks::text as trait_clocks
       from customer_group where group_id = any(${unplannedList('$1', 'text')})`,
      'octet_length(r.traits) + octet_length(r.trait_clocks)',
      '$2',
    )}`;

const writeGroupsSql = prepared('write_groups')`
  ${insertGroupsSql} traits = excluded.traits, trait_clocks = excluded.trait_clocks, updated_at = excluded.updated_at`;

interface ChangedGroup extends StoredGroup {
  /** Keys whose value changed. */
  readonly changed: readonly string[];
  readonly isChanged: boolean;
}

/**
 * Keeps what group events say about their groups: the last writer wins per trait, as with a person's. All of these
 * groups are locked from here on.
 *
 * @returns the groups that are new, and those whose traits were written
 * @throws EventsTooLargeError
 */
export async function updateGroups(
  events: readonly CustomerEvent[],
  limits: ProfileLimits,
  tx: Tx,
): Promise<TouchedGroup[]> {
  const said = traitsSaid(events);
  if (said.size === 0) return [];
  const add = (group: StoredGroup): ChangedGroup => {
    const added = addToStored(group, [{ traits: said.get(group.group_id) ?? new Map() }], limits);
    return { ...added, group_id: group.group_id, isChanged: added.trait_clocks !== group.trait_clocks };
  };
  const fresh = Array.from(said.keys(), (group_id) => add({ group_id, traits: '{}', trait_clocks: '{}' }));
  const made = await tx.query<{ group_id: string }>(lockGroupsSql, paramsOf(fresh));
  const present = new Set(said.keys());
  for (const { group_id } of made) present.delete(group_id);
  const created = fresh.filter(({ group_id }) => !present.has(group_id)).map((group) => touched(group, true));
  if (present.size === 0) return created;
  const maxBytes = roomFor(said.size);
  const stored = await tx.query<StoredGroup & SizedRow>(readGroupsSql, [[...present], maxBytes]);
  demandRoom(stored, maxBytes);
  const changed = stored.map(add).filter(({ isChanged }) => isChanged);
  if (changed.length > 0) await tx.query(writeGroupsSql, paramsOf(changed));
  return [...created, ...changed.map((group) => touched(group, false))];
}

function touched({ group_id, changed }: ChangedGroup, created: boolean): TouchedGroup {
  return { groupId: group_id, created, changedTraits: changed };
}

function traitsSaid(events: readonly CustomerEvent[]): Map<string, WrittenTraits> {
  const groups = new Map<string, WrittenTraits>();
  for (const event of events) {
    if (event.type !== 'group') continue;
    const traits: WrittenTraits = groups.get(event.groupId) ?? new Map();
    mergeTraits(traits, writtenBy(event), UNLIMITED);
    groups.set(event.groupId, traits);
  }
  return groups;
}

function writtenBy(event: GroupEvent): [string, WrittenTrait][] {
  const clock = traitClock(event);
  return Object.entries(event.traits ?? {}).map(([key, value]) => [key, { value, clock }]);
}

function paramsOf(groups: readonly StoredGroup[]): Buffer[] {
  return [
    textArray(groups.map(({ group_id }) => group_id)),
    textArray(groups.map(({ traits }) => traits)),
    textArray(groups.map(({ trait_clocks }) => trait_clocks)),
  ];
}
