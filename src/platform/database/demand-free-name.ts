import { type EntityManager, type EntityTarget, type FindOptionsWhere, Not } from 'typeorm';
import { NameTakenError } from '../http/names';

const lockNameSql = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';

/**
 * Sees to it that nothing else of the kind has the name of `resource`, from now on until the transaction ends. By a
 * lock and not by a unique index, since names that several have from before stay valid.
 * @throws NameTakenError
 */
export async function demandFreeName<Entity extends { id: string; name: string }>(
  tx: EntityManager,
  target: EntityTarget<Entity>,
  { id, name }: Entity,
): Promise<void> {
  const kind = tx.getRepository(target).metadata.tableName;
  await tx.query(lockNameSql, [`${kind} called ${name}`]);
  const where = { name, id: Not(id) } as FindOptionsWhere<Entity>;
  const other = await tx.findOneBy(target, where);
  if (other !== null) throw new NameTakenError(kind, name, other.id);
}
