/** ISO 8601: a date, or date and time with 0 to 9 fraction digits; without an offset it is UTC. */
const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const MINUTE_MS = 60_000;

/** The time of an ISO 8601 text in milliseconds, or undefined when it is none (also: 30 February, 25 o'clock). */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO_8601.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
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
