/**
 * ISO 8601 as far as it says a point in time: a date, or a date and a time with `T` or a space between, up to nine
 * digits of fraction, and `Z` or an offset. Only dates of the calendar match. A date alone is its midnight, and a
 * time without an offset is, in UTC. Fractions are cut to milliseconds.
 *
 * The SQL function `segment_instant` (see the migration) uses the same pattern, so it keeps to what the regular
 * expressions of JavaScript and PostgreSQL have in common.
 */
export const ISO_INSTANT_PATTERN =
  '^(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)' +
  '|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)' +
  '(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])?)?$';

const ISO_INSTANT = new RegExp(ISO_INSTANT_PATTERN);
const PARTS = /^(.{10})(?:.(.{5})(?::(..)(?:[.](\d+))?)?(?:(Z)|([+-]..):?(..))?)?$/;
const SHORTEST = '2024-01-01'.length;
const LONGEST = '2024-01-01T00:00:00.123456789+01:00'.length;

/** The milliseconds since 1970 of an ISO 8601 text, or undefined when it is not one. */
export function instantOf(text: string): number | undefined {
  if (text.length < SHORTEST || text.length > LONGEST || text[4] !== '-' || !ISO_INSTANT.test(text)) {
    return undefined;
  }
  const [, date, time = '00:00', seconds = '00', fraction = '', , hours, minutes] = PARTS.exec(text) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return Date.parse(`${date}T${time}:${seconds}.${milliseconds}${zone}`);
}

/**
 * An instant as PostgreSQL reads a timestamp. An offset can carry an instant out of the years 1 to 9999, where the
 * two ways of writing it part.
 */
export function timestampOf(instantMs: number): string {
  const text = new Date(instantMs).toISOString();
  if (text.startsWith('+0')) return text.slice(2);
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
