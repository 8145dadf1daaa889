/** How many tries deliveries have on record, as far as whoever names them knows. By the ids of the deliveries. */
export type KnownTries = ReadonlyMap<string, number>;

export const NO_TRIES_KNOWN: KnownTries = new Map();

/** Of new deliveries: where there is a try on record, somebody else has gone on with them. */
export function noTriesOf(ids: readonly string[]): KnownTries {
  return new Map(ids.map((id) => [id, 0]));
}

/**
 * The condition that a delivery has had no try since whoever names it last knew of it. A job that was put off may come
 * late: meanwhile somebody else has made its try, and another job the one after that.
 * @param params the statement's parameters: the ids, and {@link triesParam}
 */
export function hasKnownTries({ ids, tries }: { readonly ids: string; readonly tries: string }): string {
  return `attempts = coalesce((${tries}::int[])[array_position(${ids}::uuid[], id)], attempts)`;
}

/** The tries of each of the ids, null where they are not known; null when none are. */
export function triesParam(ids: readonly string[], tries: KnownTries): (number | null)[] | null {
  return tries.size === 0 ? null : ids.map((id) => tries.get(id) ?? null);
}
