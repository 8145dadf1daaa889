import { type FindOptionsWhere, Not, type Repository } from 'typeorm';
import { NameTakenError } from '../../http/resources/names';
import { lockKeySql } from '../transactions/advisory-lock';
import type { Resource } from './resource.entity';

const lockSql = `select pg_advisory_xact_lock(${lockKeySql('$1')})`;

/**
 * Sees to it that nothing else of the kind has the name of a resource, from now on until the transaction of the
 * repository ends. By a lock and not by a unique index, since names that several have from before stay valid.
 * @param mayRepeat whether `?allowDuplicate=true` takes a name twice
 * @throws NameTakenError
 */
export async function demandFreeName<Entity extends Resource>(
  repository: Repository<Entity>,
  { id, name }: Entity,
  { mayRepeat = true }: { readonly mayRepeat?: boolean } = {},
): Promise<void> {
  const kind = repository.metadata.tableName;
  await repository.query(lockSql, [`${kind} called ${name}`]);
  const where = { name, id: Not(id) } as FindOptionsWhere<Entity>;
  const other = await repository.findOneBy(where);
  if (other !== null) throw new NameTakenError(kind, name, other.id, mayRepeat);
}
