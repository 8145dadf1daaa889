import type { JsonValue } from '../../events/customer-event';
import { entryBytes, jsonBytes } from './json-bytes';
import type { ProfileLimits } from './profile-limits';
import { isLater, type TraitClock } from './trait-clock';

/** A trait as its last writer left it; `null` is unset, and stays on record so that no earlier writer revives it. */
export interface WrittenTrait {
  readonly value: JsonValue;
  readonly clock: TraitClock;
}

export type WrittenTraits = Map<string, WrittenTrait>;

interface Merge {
  readonly traits: WrittenTraits;
  readonly later: readonly (readonly [string, WrittenTrait])[];
  readonly maxBytesBefore: number;
}

export type TraitLimits = Pick<ProfileLimits, 'maxTraitBytes' | 'maxTraitKeys'>;

/** Of what events say. Limits are of the whole: only where it meets what is there is known which keys are new. */
export const UNLIMITED: TraitLimits = { maxTraitBytes: Infinity, maxTraitKeys: Infinity };

/**
 * Adds `written` to `traits`: per key the later writer stays. This is the only place that decides it, for events of one
 * transaction, for stored profiles, for profiles that are merged, and for groups.
 *
 * The order of calls does not matter, except beyond the limits: there, key by key, what is new or makes the traits
 * larger is refused. Traits that are above a limit already may still change and shrink. `maxBytesBefore` is more than
 * `traitBytes(traits)`, where the caller knows it: it saves to look at all traits when few are written.
 */
export function mergeTraits(
  traits: WrittenTraits,
  written: Iterable<readonly [string, WrittenTrait]>,
  limits: TraitLimits,
  maxBytesBefore = Infinity,
): void {
  const later: (readonly [string, WrittenTrait])[] = [];
  for (const one of written) if (isLater(one[1].clock, traits.get(one[0])?.clock)) later.push(one);
  if (later.length === 0) return;
  if (areWithin(limits, { traits, later, maxBytesBefore })) {
    for (const [key, trait] of later) traits.set(key, trait);
    return;
  }
  let bytes = traitBytes(traits);
  let names = nameBytes(traits.keys());
  for (const [key, trait] of later.sort(byKey)) {
    const added = traits.has(key) ? 0 : nameBytes([key]);
    if (!traits.has(key) && traits.size >= limits.maxTraitKeys) continue;
    if (added > 0 && names + added > limits.maxTraitBytes) continue;
    const then = bytes - entryBytes(key, traits.get(key)?.value) + entryBytes(key, trait.value);
    if (then > Math.max(limits.maxTraitBytes, bytes)) continue;
    traits.set(key, trait);
    bytes = then;
    names += added;
  }
}

/** The traits that are set. */
export function setTraits(traits: WrittenTraits): Record<string, JsonValue> {
  const values: [string, JsonValue][] = [];
  for (const [key, { value }] of traits) if (value !== null) values.push([key, value]);
  return Object.fromEntries(values);
}

/** Bytes of the traits that are set, as JSON text. */
export function traitBytes(traits: WrittenTraits): number {
  return jsonBytes(JSON.stringify(setTraits(traits)));
}

function areWithin(
  { maxTraitBytes, maxTraitKeys }: TraitLimits,
  { traits, later, maxBytesBefore }: Merge,
): boolean {
  const added = later.map(([key]) => key).filter((key) => !traits.has(key));
  if (traits.size + added.length > maxTraitKeys) return false;
  if (maxTraitBytes === Infinity) return true;
  if (added.length > 0 && nameBytes(traits.keys()) + nameBytes(added) > maxTraitBytes) return false;
  const maxBytes = later.reduce((sum, [key, { value }]) => sum + entryBytes(key, value), maxBytesBefore);
  return maxBytes <= maxTraitBytes || traitBytes(new Map([...traits, ...later])) <= maxTraitBytes;
}

/** Of keys, set or not. The names of those that are set are in {@link traitBytes}, too. */
function nameBytes(keys: Iterable<string>): number {
  let bytes = 0;
  for (const key of keys) bytes += Buffer.byteLength(key);
  return bytes;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
