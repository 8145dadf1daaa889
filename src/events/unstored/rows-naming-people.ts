import type { Tx } from '../../platform/database/database';
import { type ExportPart, LOWEST_ID } from '../../platform/database/statements/export-part';
import { prepared } from '../../platform/database/statements/prepared';
import type { Subject } from '../customer-event';

/** What a table has of the people whom its rows name. */
export interface RowsNamingPeople {
  readonly table: string;
  readonly has: (subjects: readonly Subject[], tx: Tx) => Promise<boolean>;
  /** Deletes at most `limit` rows. @returns how many */
  readonly forgetPart: (subjects: readonly Subject[], limit: number, tx: Tx) => Promise<number>;
  /** Lines that are called as the table. */
  readonly exported: ExportPart;
}

/**
 * For the module that owns the table, which has `id` and `subjects`.
 * @param line the JSON of a row in an export
 * @param pageRows read at once in an export
 */
export function rowsNamingPeople(table: string, line: string, pageRows?: number): RowsNamingPeople {
  // An index may leave out rows that name nobody.
  const naming = `from ${table} where subjects && $1::text[] and subjects <> '{}'`;
  // Locked, so that somebody else who erases these people finds others, and each is counted once.
  const forgetSql = prepared(`forget_${table}`)`
    delete from ${table} where id = any(array(select id ${naming} limit $2 for update)) returning 1`;
  const hasSql = prepared(`has_${table}`)`select ${naming} limit 1`;
  return {
    table,
    has: async (subjects, tx) => (await tx.query(hasSql, [subjects])).length > 0,
    forgetPart: async (subjects, limit, tx) => (await tx.query(forgetSql, [subjects, limit])).length,
    exported: {
      kind: table,
      sql: `
        select ${line}::text as data, array[id::text] as key ${naming} and id > $2::uuid
        order by id`,
      first: [LOWEST_ID],
      pageRows,
    },
  };
}
