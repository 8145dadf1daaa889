import type { JsonValue } from '../../events/customer-event';
import type { ProfileLimits } from './profile-limits';
import { isLater, type TraitClock } from './trait-clock';

/** A trait as its last writer left it; `null` is unset, and stays on record so that no earlier writer revives it. */
export interface WrittenTrait {
  readonly value: JsonValue;
  readonly clock: TraitClock;
}

export type WrittenTraits = Map<string, WrittenTrait>;

/**
 * Adds `written` to `traits`: per key the later writer stays. The order of calls does not matter, except beyond
 * the limits, where keys that are already there have precedence over new ones.
 */
export function mergeTraits(
  traits: WrittenTraits,
  written: Iterable<readonly [string, WrittenTrait]>,
  limits: ProfileLimits,
): void {
  for (const [key, trait] of written) {
    const current = traits.get(key);
    if (current === undefined ? traits.size < limits.maxTraitKeys : isLater(trait.clock, current.clock)) {
      traits.set(key, trait);
    }
  }
}
