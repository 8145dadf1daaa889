/**
 * A time, in milliseconds since 1970, as PostgreSQL reads a timestamp. An offset can carry a time out of the years 1 to
 * 9999, where the two ways of writing it part.
 */
export function timestampToSql(ms: number): string {
  const text = new Date(ms).toISOString();
  if (text.startsWith('+0')) return text.slice(2);
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
