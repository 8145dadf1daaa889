import type { ObjectLiteral, Repository } from 'typeorm';
import type { Connection, Tx } from '../database';
import type { StatementOf } from '../statements/made-statement';

/**
 * The repository on a connection of `Database`: entities and SQL share one kind of transaction.
 * @param statementOf how its texts are sent, where it only reads; they are planned each time if that is not said
 */
export function within<Entity extends ObjectLiteral>(
  connection: Connection,
  repository: Repository<Entity>,
  statementOf?: StatementOf,
): Repository<Entity> {
  const client = statementOf === undefined ? connection.client : readerOf(connection, statementOf);
  const runner = repository.manager.dataSource.createQueryRunner();
  // TypeORM has no public way to use a connection that it did not open. It never releases this one.
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true });
  return runner.manager.withRepository(repository);
}

/** What TypeORM takes for a connection of `pg`. */
function readerOf(tx: Tx, statementOf: StatementOf): Connection['client'] {
  return {
    query: async (text: string, params: unknown[] = []) => {
      const rows = await tx.query(statementOf(text), params);
      return { rows, rowCount: rows.length, command: 'SELECT' };
    },
  };
}
