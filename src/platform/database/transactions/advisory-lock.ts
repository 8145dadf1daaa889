/** What sets the locks of one service apart from those of others in the same database; in `public` 0. */
const ofSchemaSql = `case current_schema() when 'public' then 0 else hashtextextended(current_schema()::text, 0) end`;

/** The key of an advisory lock, by its name: an expression of SQL. */
export function lockKeySql(nameSql: string): string {
  return `hashtextextended(${nameSql}, ${ofSchemaSql})`;
}
