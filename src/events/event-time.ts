/** Clocks of honest clients are at most this far ahead; anything later is no time at all. */
export const MAX_AHEAD_MS = 24 * 60 * 60 * 1000;

/** How far the clocks of two processes may differ from PostgreSQL's before anything goes wrong. */
const CLOCKS_DIFFER_MS = MAX_AHEAD_MS;

/**
 * The lowest id that an event of a time, or of a later one, can have: it has it from its reception, which was a day
 * before that time at the earliest. An SQL expression, of one for a timestamptz, that is worked out when a statement
 * begins; partitions of events below it are left out then.
 */
export function lowestIdSql(timestamp: string): string {
  const ms = `greatest((extract(epoch from ${timestamp}) * 1000)::numeric - ${MAX_AHEAD_MS + CLOCKS_DIFFER_MS}, 0)`;
  return `(lpad(to_hex((${ms})::bigint), 12, '0') || repeat('0', 20))::uuid`;
}
