/** See {@link parseTimestamp}. */
const SPELLING =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const SHORTEST = '2026-01-31'.length;
const LONGEST = '2026-01-31T12:00:00.123456789+01:00'.length;

const MINUTE_MS = 60_000;

/**
 * The time that a text says, in milliseconds since 1970, or undefined when it says none (also: 30 February, 25
 * o'clock). The one rule for times of events and for dates in traits and rules of segments; `segment_instant` says the
 * same in SQL.
 *
 * ISO 8601 with the variants that programs write: a date of the years 1 to 9999, or a date and a time with `T`, `t` or
 * a blank between (Python's `str(datetime)`), seconds or none, a fraction of up to nine digits behind a point or a
 * comma, which is cut to milliseconds, and `Z`, `z`, `+01`, `+0100`, `+01:00` or nothing, which is UTC.
 */
export function parseTimestamp(text: string): number | undefined {
  // Most texts that are no times are told by this, which matters for traits.
  if (text.length < SHORTEST || text.length > LONGEST || text[4] !== '-') return undefined;
  const match = SPELLING.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  if (year === '0000' || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day)); // Date.UTC takes the year 99 for 1999.
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined;
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offsetMs = parseOffset(offset);
  if (offsetMs === undefined) return undefined;
  return date.setUTCHours(Number(hour), Number(minute), Number(second), millisecond) - offsetMs;
}

function parseOffset(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  const ms = (hours * 60 + minutes) * MINUTE_MS;
  return offset.startsWith('-') ? -ms : ms;
}
