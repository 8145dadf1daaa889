import { textArray } from '../../platform/database/binary-arrays';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { deltaColumns, type DeltaRow, deltasSql } from './delta-row';
import type { ProfileDelta } from './profile-delta';
import type { ProfileLimits } from './profile-limits';
import { factColumnsSql, type FactsRow } from './profile-row';

/** All of the delta's traits are later than those of the profile, and it is far from its limits. */
const OVERWRITES = `coalesce(
  excluded.changed_traits[2] collate "C" > p.last_trait_clock
    and pg_column_compression(p.traits) is null and pg_column_compression(p.trait_clocks) is null
    and (pg_column_size(p.traits) + pg_column_size(excluded.traits)) * 32 < $12
    and pg_column_size(p.trait_clocks) + pg_column_size(excluded.trait_clocks) < $13 * 25,
  false
)`;

/** The totals when all events of the delta have one name that the profile counts already. */
const ONE_TOTAL = `p.event_totals || jsonb_build_object(excluded.changed_traits[1], jsonb_build_object(
  'count', (p.event_totals #> array[excluded.changed_traits[1], 'count'])::bigint + excluded.event_count,
  'first', least((p.event_totals #> array[excluded.changed_traits[1], 'first'])::bigint,
    (extract(epoch from excluded.first_seen_at) * 1000)::bigint),
  'last', greatest((p.event_totals #> array[excluded.changed_traits[1], 'last'])::bigint,
    (extract(epoch from excluded.last_seen_at) * 1000)::bigint)))`;

/** A profile after its delta was added. */
export interface UpsertedProfile extends FactsRow {
  readonly created: boolean;
  /** Null when none. */
  readonly changed_traits: string[] | null;
  readonly groups_changed: boolean;
}

/**
 * Adds deltas to profiles, and makes those that are missing. Rows are locked in the order of their subjects, which
 * is the one order in which the service ever locks profiles: workers wait for each other, never in a circle.
 *
 * A row that is a pointer to another profile is locked, left as it is and not answered; so is an existing row whose
 * delta has no events (which is how a row is locked without changing it).
 *
 * - $1 to $9 see {@link deltasSql}; $10 and $11 hints
 * - $12 to $15 limits: bytes of traits, keys of traits, event names, groups
 *
 * The functions that merge key by key are slow beside the rest, so what is almost always the case goes without them.
 * The hints, which travel in `excluded.changed_traits` because an upsert sees no other columns, say what the delta
 * allows: [1] the name of its events when there is only one, [2] its earliest trait clock when it unsets no trait. A
 * trait takes at least 25 bytes in the clocks, and text at most 32 times the bytes of jsonb (where the numbers are like
 * 1e300), so the sizes keep the limits.
 */
const upsertProfilesStatement: PreparedStatement = {
  name: 'upsert_profiles',
  text: `
    insert into profile as p (
      subject, traits, trait_clocks, groups, event_count, event_totals, first_seen_at, last_seen_at, last_trait_clock,
      changed_traits
    )
    select s, t, c, g, n, e, f, l, m, array[x, y] from (${deltasSql}) as d
    on conflict (subject) do update set
      (traits, trait_clocks, changed_traits) = (
        select p.traits, p.trait_clocks, '{}'::text[] where excluded.last_trait_clock = ''
        union all
        select p.traits || excluded.traits, p.trait_clocks || excluded.trait_clocks,
          case when p.traits || excluded.traits = p.traits then '{}'
            else array(select key from jsonb_each(excluded.traits) where p.traits -> key is distinct from value) end
        where excluded.last_trait_clock <> '' and ${OVERWRITES}
        union all
        select m.traits, m.trait_clocks, m.changed_traits
        from profile_merge_traits(p.traits, p.trait_clocks, excluded.traits, excluded.trait_clocks, $12, $13) as m
        where excluded.last_trait_clock <> '' and not ${OVERWRITES}
      ),
      last_trait_clock = greatest(p.last_trait_clock, excluded.last_trait_clock),
      groups = case when excluded.groups <@ p.groups then p.groups
        else (p.groups || array(select g from unnest(excluded.groups) as g where g <> all(p.groups)))[1:$15] end,
      groups_changed = not excluded.groups <@ p.groups and cardinality(p.groups) < $15,
      event_count = p.event_count + excluded.event_count,
      event_totals = case when p.event_totals ? excluded.changed_traits[1] then ${ONE_TOTAL}
        else profile_merge_totals(p.event_totals, excluded.event_totals, $14) end,
      first_seen_at = least(p.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at),
      updated_at = now()
    where p.merged_into is null and excluded.event_count > 0
    returning ${factColumnsSql}, p.xmax = 0 as created,
      case when p.xmax <> 0 then nullif(p.changed_traits, '{}') end as changed_traits, p.groups_changed`,
};

/** Upserts; answers the profiles that were made or changed, in no order. */
export async function upsertProfiles(
  rows: readonly DeltaRow[],
  limits: ProfileLimits,
  tx: Tx,
): Promise<UpsertedProfile[]> {
  if (rows.length === 0) return [];
  const upserted = await tx.query<UpsertedProfile & Record<string, unknown>>(upsertProfilesStatement, [
    ...deltaColumns(rows),
    textArray(rows.map(({ delta }) => onlyName(delta))),
    textArray(rows.map(({ earliestClock }) => earliestClock)),
    limits.maxTraitBytes,
    limits.maxTraitKeys,
    limits.maxEventNames,
    limits.maxGroups,
  ]);
  if (!upserted.some(({ created }) => created)) return upserted;
  const deltas = new Map(rows.map(({ subject, delta }) => [subject, delta]));
  return upserted.map((row) => (row.created ? asCreated(row, deltas.get(row.subject)) : row));
}

/** The name of all events of a delta, if they have one. */
function onlyName({ totals, eventCount, firstSeenMs, lastSeenMs }: ProfileDelta): string | undefined {
  const [[name, total] = [undefined, undefined]] = totals;
  const isAll = total?.count === eventCount && total.first === firstSeenMs && total.last === lastSeenMs;
  return totals.size === 1 && isAll ? name : undefined;
}

function asCreated(row: UpsertedProfile, delta: ProfileDelta | undefined): UpsertedProfile {
  return {
    ...row,
    changed_traits: [...(delta?.traits.keys() ?? [])],
    groups_changed: (delta?.groups.size ?? 0) > 0,
  };
}
