import type { ObjectLiteral, Repository } from 'typeorm';
import type { Connection } from '../database';

/** The repository on a connection of `Database`: entities and SQL share one kind of transaction. */
export function within<Entity extends ObjectLiteral>(
  { client }: Connection,
  repository: Repository<Entity>,
): Repository<Entity> {
  const runner = repository.manager.dataSource.createQueryRunner();
  // TypeORM has no public way to use a connection that it did not open. It never releases this one.
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true });
  return runner.manager.withRepository(repository);
}
