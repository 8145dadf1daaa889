import type { Subject } from '../../events/customer-event';
import { textArray } from '../../platform/database/binary-arrays';
import type { PreparedStatement, Tx } from '../../platform/database/database';
import { deltaColumns, type DeltaRow, deltasSql } from './delta-row';
import type { UpsertedProfile } from './upsert-profiles';

/** $1 to $9 see {@link deltasSql}; $10 what the row points to; $11 any text where only an alias names the subject. Answers the subjects that were inserted. */
const insertProfilesStatement: PreparedStatement = {
  name: 'insert_profiles',
  text: `
    insert into profile (
      subject, traits, trait_clocks, groups, event_count, event_totals, first_seen_at, last_seen_at, last_trait_clock,
      merged_into, only_aliased
    )
    select s, t, c, g, n, e, f, l, m, x, y is not null from (${deltasSql}) as d
    on conflict (subject) do nothing
    returning subject`,
};

/**
 * Makes profiles that were not there a moment ago, at less than half the cost of an upsert: an upsert reads back what
 * it wrote. `pointers` says which of them, without events, belong to another profile from the beginning.
 * `used` are the subjects that an event bears. Answers those that were made; the others exist by now and are left alone.
 */
export async function insertProfiles(
  rows: readonly DeltaRow[],
  { pointers, used }: { pointers: ReadonlyMap<Subject, Subject>; used: ReadonlySet<Subject> },
  tx: Tx,
): Promise<UpsertedProfile[]> {
  if (rows.length === 0) return [];
  const inserted = await tx.query<{ subject: Subject }>(insertProfilesStatement, [
    ...deltaColumns(rows),
    textArray(rows.map(({ subject, delta }) => (delta.eventCount === 0 ? pointers.get(subject) : undefined))),
    textArray(rows.map(({ subject }) => (used.has(subject) ? undefined : 'alias'))),
  ]);
  const made = new Set(inserted.map(({ subject }) => subject));
  return rows.filter(({ subject }) => made.has(subject)).map(asMade);
}

/** What PostgreSQL would answer. */
function asMade({ subject, delta, traits, totals }: DeltaRow): UpsertedProfile {
  return {
    subject,
    traits: traits ?? '{}',
    groups: delta.groups.size > 0 ? [...delta.groups] : null,
    event_count: delta.eventCount,
    event_totals: totals ?? '{}',
    first_seen_ms: delta.firstSeenMs,
    last_seen_ms: delta.lastSeenMs,
    created: true,
    changed_traits: [...delta.traits.keys()],
    groups_changed: delta.groups.size > 0,
  };
}
