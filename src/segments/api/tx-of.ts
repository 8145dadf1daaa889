import type { EntityManager } from 'typeorm';
import type { Tx } from '../../platform/database/database';

/** The transaction of a TypeORM entity manager, for SQL that is shared with the hot path. */
export function txOf(manager: EntityManager): Tx {
  const runner = manager.queryRunner;
  if (runner === undefined) throw new Error('This entity manager is in no transaction.');
  return {
    query: async (statement, params = []) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      const result = await runner.query(text, [...params], true);
      return result.records as never[];
    },
  };
}
