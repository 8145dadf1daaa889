/** What sets the locks of one service apart from those of others in the same database; in `public` 0. */
const ofSchemaSql = `case current_schema() when 'public' then 0 else hashtextextended(current_schema()::text, 0) end`;

/** The key of an advisory lock that has a number, which is a constant of one file. */
export function lockNumberSql(lockNumber: number): string {
  return `${lockNumber}::bigint # ${ofSchemaSql}`;
}

/** The key of an advisory lock that has a name: an expression of SQL. */
export function lockNameSql(nameSql: string): string {
  return `hashtextextended(${nameSql}, ${ofSchemaSql})`;
}
