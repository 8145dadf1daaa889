/** The lowest UUIDv7 of a millisecond. Its first 48 bits are the time; PostgreSQL tells it with fractions. */
export function lowestId(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
