/** Of an event `e`, sorted by its bytes: the microsecond, then the id. */
export const PLACE = `to_char(e."timestamp" at time zone 'UTC', 'YYYYMMDDHH24MISSUS') || e.id::text`;
export const PLACE_LENGTH = 20 + 36;

/** Digits of a number of events. */
const COUNT_LENGTH = 10;
/** What stands before the value. */
export const STANDING_LENGTH = COUNT_LENGTH + PLACE_LENGTH;

/**
 * How the value of an event stands there, sorted by its bytes: how many events have it, this one and later ones, and
 * the place of the last of them; then the value. Null where the event has none.
 *
 * The further back one looks, the more events have a value. So the greatest standing since a time is that of the value
 * that most events since then have, of several the one seen last: one sort for all times, whatever the number of
 * values.
 * @param same what is equal of events that have the same value: the value, and the person where there are several
 */
export function standingSql(value: string, same: readonly string[]): string {
  const later = `over (partition by ${same.join(', ')} order by e."timestamp" desc, e.id desc)`;
  const count = `lpad((row_number() ${later})::text, ${COUNT_LENGTH}, '0')`;
  return `(${count} || first_value(${PLACE}) ${later} || (${value})::text) collate "C"`;
}
