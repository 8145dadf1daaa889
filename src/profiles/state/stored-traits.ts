import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../events/customer-event';
import { jsonBytes } from './json-bytes';
import type { TraitClock } from './trait-clock';
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
  others: readonly { readonly traits: WrittenTraits }[],
  limits: TraitLimits,
): AddedTraits {
  if (others.every(({ traits }) => traits.size === 0)) return unchanged(stored);
  const before = readTraits(stored);
  const after = new Map(before);
  // Of the first alone is known what it is added to.
  let maxBytes = jsonBytes(stored.traits);
  for (const { traits } of others) {
    if (traits.size === 0) continue;
    mergeTraits(after, traits, limits, maxBytes);
    maxBytes = Infinity;
  }
  const touched: string[] = [];
  const clocks: [string, TraitClock][] = [];
  for (const [key, trait] of after) {
    if (before.get(key) !== trait) touched.push(key);
    clocks.push([key, trait.clock]);
  }
  if (touched.length === 0) return unchanged(stored);
  return {
    traits: JSON.stringify(setTraits(after)),
    trait_clocks: JSON.stringify(Object.fromEntries(clocks)),
    changed: touched.filter(
      (key) => !isDeepStrictEqual(after.get(key)?.value, before.get(key)?.value ?? null),
    ),
  };
}

function unchanged({ traits, trait_clocks }: StoredTraits): AddedTraits {
  return { traits, trait_clocks, changed: [] };
}
