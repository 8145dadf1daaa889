import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../events/customer-event';
import { jsonBytes } from './json-bytes';
import { mergeTraits, setTraits, type TraitLimits, type WrittenTraits } from './merge-traits';

/** Traits as a table keeps them, of a person or a group: JSON texts of objects. */
export interface StoredTraits {
  readonly traits: string;
  /** Trait key to clock; a key without a trait is unset. */
  readonly trait_clocks: string;
}

/** Traits after others were added. */
interface AddedTraits extends StoredTraits {
  /** Keys whose value changed. */
  readonly changed: readonly string[];
}

export function readTraits({ traits, trait_clocks }: StoredTraits): WrittenTraits {
  if (trait_clocks === '{}') return new Map();
  const values = JSON.parse(traits) as JsonObject;
  return new Map(
    Object.entries(JSON.parse(trait_clocks) as Record<string, string>).map(([key, clock]) => [
      key,
      { value: Object.hasOwn(values, key) ? (values[key] ?? null) : null, clock },
    ]),
  );
}

export function addToStored(
  stored: StoredTraits,
  written: readonly WrittenTraits[],
  limits: TraitLimits,
): AddedTraits {
  const before = readTraits(stored);
  const after = new Map(before);
  // Of the first alone is known what it is added to.
  let maxBytes = jsonBytes(stored.traits);
  for (const traits of written) {
    mergeTraits(after, traits, limits, maxBytes);
    maxBytes = Infinity;
  }
  const touched = Array.from(after).filter(([key, trait]) => before.get(key) !== trait);
  if (touched.length === 0) return { traits: stored.traits, trait_clocks: stored.trait_clocks, changed: [] };
  return {
    traits: JSON.stringify(setTraits(after)),
    trait_clocks: JSON.stringify(Object.fromEntries(Array.from(after, ([key, { clock }]) => [key, clock]))),
    changed: touched
      .filter(([key, { value }]) => !isDeepStrictEqual(value, before.get(key)?.value ?? null))
      .map(([key]) => key),
  };
}
