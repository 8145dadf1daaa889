/**
 * The transaction that wrote a row, as an xid8 that can be compared with a snapshot. The row keeps the last 32 bits of
 * it. Rows and snapshot have to be of one server: the statement reads a table, so that on Citus all of it runs on the
 * node that has it. (A column with a default is filled in by the coordinator, which counts transactions of its own.)
 * @param row SQL: the alias of a table
 */
export function writerSql(row: string): string {
  const next = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
  return `(${next} - ((${next} - ${row}.xmin::text::bigint) & 4294967295))::text::xid8`;
}
