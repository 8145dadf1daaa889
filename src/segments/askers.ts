/** What asks about a segment or a computed trait, by name. */
export interface Askers {
  readonly segments: readonly string[];
  readonly destinations: readonly string[];
}

export function isAsked({ segments, destinations }: Askers): boolean {
  return segments.length > 0 || destinations.length > 0;
}

/**
 * For people: `rules of segments (A, B) and filters of destinations (C)`.
 * @param whereFrom what of a destination asks
 */
export function wordsOf({ segments, destinations }: Askers, whereFrom: string): string {
  const words = [
    ...(segments.length > 0 ? [`rules of segments (${segments.join(', ')})`] : []),
    ...(destinations.length > 0 ? [`${whereFrom} of destinations (${destinations.join(', ')})`] : []),
  ];
  return words.join(' and ');
}
