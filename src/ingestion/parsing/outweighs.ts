import { isKeptNumber } from '../../events/exact-json';

/** Of a number, a word, or a bracket with its comma. */
const LEAST = 2;

/**
 * Whether the JSON of a value certainly has more than so many bytes. It counts the characters of texts and names and
 * the least that all else takes, which is much faster than to write it, and looks no further than it must.
 */
export function outweighs(maxBytes: number, value: object): boolean {
  return weightOf(value, maxBytes) > maxBytes;
}

function weightOf(value: unknown, limit: number): number {
  if (isKeptNumber(value)) return LEAST;
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return LEAST;
  const members = value as Record<string, unknown>;
  const quotes = Array.isArray(value) ? undefined : 2;
  let weight = 1; // The last member has no comma.
  for (const name in members) {
    if (members[name] === undefined) continue;
    if (quotes !== undefined) weight += name.length + quotes;
    weight += weightOf(members[name], limit - weight);
    if (weight > limit) break;
  }
  return weight;
}
