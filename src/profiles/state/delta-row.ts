import type { Subject } from '../../events/customer-event';
import { bigintArray, textArray, timestampArray } from '../../platform/database/binary-arrays';
import type { WrittenTrait, WrittenTraits } from './merge-traits';
import type { ProfileDelta } from './profile-delta';
import { isLater, type TraitClock } from './trait-clock';

/** A delta as PostgreSQL gets it: JSON texts, where undefined stands for an empty one. */
export interface DeltaRow {
  readonly subject: Subject;
  readonly delta: ProfileDelta;
  readonly traits: string | undefined;
  readonly clocks: string | undefined;
  readonly groups: string | undefined;
  readonly totals: string | undefined;
  /** Of the trait clocks; undefined when there are none. */
  readonly latestClock: TraitClock | undefined;
  /** As above; undefined, too, when the delta unsets a trait. */
  readonly earliestClock: TraitClock | undefined;
}

/** More bytes than the UTF-8 of a character of JavaScript takes. */
const MAX_CHARACTER_BYTES = 3;

/** A delta makes a profile when there is none yet, so what it brings is bounded here. */
export function deltaRow(subject: Subject, delta: ProfileDelta, maxTraitBytes: number): DeltaRow {
  const { traits, clocks, earliestClock, latestClock } = traitColumns(delta.traits, maxTraitBytes);
  return {
    subject,
    delta,
    traits,
    clocks,
    groups: delta.groups.size > 0 ? JSON.stringify([...delta.groups]) : undefined,
    totals: delta.totals.size > 0 ? JSON.stringify(Object.fromEntries(delta.totals)) : undefined,
    latestClock,
    earliestClock,
  };
}

/** The columns `s, t, c, g, n, e, f, l, m` of {@link deltasSql}. */
export function deltaColumns(rows: readonly DeltaRow[]): Buffer[] {
  return [
    textArray(rows.map(({ subject }) => subject)),
    textArray(rows.map(({ traits }) => traits)),
    textArray(rows.map(({ clocks }) => clocks)),
    textArray(rows.map(({ groups }) => groups)),
    bigintArray(rows.map(({ delta }) => delta.eventCount)),
    textArray(rows.map(({ totals }) => totals)),
    timestampArray(rows.map(({ delta }) => (delta.eventCount > 0 ? delta.firstSeenMs : 0))),
    timestampArray(rows.map(({ delta }) => (delta.eventCount > 0 ? delta.lastSeenMs : 0))),
    textArray(rows.map(({ latestClock }) => latestClock)),
  ];
}

/**
 * Reads the columns from $1 to $9, and two more texts from $10 and $11, in the order in which profiles are locked:
 * subject, traits, clocks, groups, events, totals, first and last time, latest clock.
 */
export const deltasSql = `
  select s, coalesce(t::jsonb, '{}') as t, coalesce(c::jsonb, '{}') as c,
    case when g is null then '{}' else array(select jsonb_array_elements_text(g::jsonb)) end as g,
    n, coalesce(e::jsonb, '{}') as e,
    case when n > 0 then f end as f, case when n > 0 then l end as l, coalesce(m, '') as m, x, y
  from unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[], $8::timestamptz[],
    $9::text[], $10::text[], $11::text[]
  ) as d(s, t, c, g, n, e, f, l, m, x, y)
  order by s collate "C"`;

function traitColumns(
  all: WrittenTraits,
  maxBytes: number,
): Pick<DeltaRow, 'traits' | 'clocks' | 'earliestClock' | 'latestClock'> {
  const none = { traits: undefined, clocks: undefined, earliestClock: undefined, latestClock: undefined };
  if (all.size === 0) return none;
  let written: Iterable<[string, WrittenTrait]> = all;
  let traits = traitsJson(all);
  if (traits.length * MAX_CHARACTER_BYTES + all.size > maxBytes) {
    written = fittingTraits(all, maxBytes);
    traits = traitsJson(written);
  }
  const clocks = Array.from(written, ([, { clock }]) => clock);
  const [first] = clocks;
  if (first === undefined) return none;
  const unsets = Array.from(written).some(([, { value }]) => value === null);
  return {
    traits,
    clocks: JSON.stringify(Object.fromEntries(Array.from(written, ([key, { clock }]) => [key, clock]))),
    latestClock: clocks.reduce((latest, clock) => (isLater(clock, latest) ? clock : latest), first),
    earliestClock: unsets
      ? undefined
      : clocks.reduce((earliest, clock) => (isLater(earliest, clock) ? clock : earliest), first),
  };
}

function traitsJson(written: Iterable<readonly [string, WrittenTrait]>): string {
  const set = Array.from(written).filter(([, { value }]) => value !== null);
  return JSON.stringify(Object.fromEntries(set.map(([key, { value }]) => [key, value])));
}

/** A profile that is made by this delta is bounded here; one that exists, where it is merged. */
function fittingTraits(traits: WrittenTraits, maxBytes: number): [string, WrittenTrait][] {
  let bytes = 0;
  return [...traits].filter(([key, { value }]) => {
    const size = value === null ? 0 : Buffer.byteLength(JSON.stringify({ [key]: value }));
    if (bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  });
}
