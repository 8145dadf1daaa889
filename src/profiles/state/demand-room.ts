import { EventsTooLargeError } from '../../events/inbox/events-too-large.error';

/**
 * Bytes of the profiles that one transaction may read, and of the groups. Added to and written again they take 7 times
 * that, and two transactions are under way. A thousand usual profiles have 5 MB.
 */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** A row that was read, and how many bytes it has together with those before it. */
export interface SizedRow {
  readonly bytes: number;
}

/**
 * How many bytes events, or what is said of groups, may read. A single one cannot be parted: it reads what there is.
 */
export function roomFor(count: number): number {
  return count > 1 ? MAX_READ_BYTES : Number.MAX_SAFE_INTEGER;
}

/** Of these rows (SQL, with `sizeSql` for the bytes of each) as many as have room in `maxBytesSql`, and one more. */
export function fittingRowsSql(rowsSql: string, sizeSql: string, maxBytesSql: string): string {
  return `
    select * from (
      select r.*, (${sizeSql})::float8 as size, sum(${sizeSql}) over (rows unbounded preceding)::float8 as bytes
      from (${rowsSql}) as r
    ) as r
    where bytes - size <= ${maxBytesSql}`;
}

/** @throws EventsTooLargeError */
export function demandRoom(rows: readonly SizedRow[], maxBytes: number): void {
  if (rows.some(({ bytes }) => bytes > maxBytes)) throw new EventsTooLargeError();
}
