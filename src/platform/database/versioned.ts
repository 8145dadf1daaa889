import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { Problem } from '../http/problem';
import { ChangedMeanwhileError } from '../http/version';

/** A configuration resource: its version goes up with each change, and two changes never meet in one version. */
interface Versioned extends ObjectLiteral {
  id: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Writes the next version of an entity that was read as its present version.
 * @returns the entity as it is stored now.
 * @throws ChangedMeanwhileError when it is not the present version any more, `gone` when it was deleted.
 */
export async function saveNextVersion<Entity extends Versioned>(
  tx: EntityManager,
  type: EntityTarget<Entity>,
  entity: Entity,
  gone: Problem,
): Promise<Entity> {
  const { id, version, createdAt: _, updatedAt: __, ...columns } = entity;
  const result = await tx.update(type, presentVersion<Entity>(id, version), {
    ...(columns as object),
    version: version + 1,
    // The declared type wants to know the columns of an entity that is generic here.
  } as never);
  if (result.affected !== 1) throw await changedOrGone(tx, type, id, gone);
  return tx.findOneByOrFail(type, { id } as FindOptionsWhere<Entity>);
}

/** @throws ChangedMeanwhileError when it is not the present version any more, `gone` when it was deleted. */
export async function deleteVersion<Entity extends Versioned>(
  tx: EntityManager,
  type: EntityTarget<Entity>,
  { id, version }: Entity,
  gone: Problem,
): Promise<void> {
  const result = await tx.delete(type, presentVersion<Entity>(id, version));
  if (result.affected !== 1) throw await changedOrGone(tx, type, id, gone);
}

async function changedOrGone<Entity extends Versioned>(
  tx: EntityManager,
  type: EntityTarget<Entity>,
  id: string,
  gone: Problem,
): Promise<Problem> {
  const exists = await tx.existsBy(type, { id } as FindOptionsWhere<Entity>);
  return exists ? new ChangedMeanwhileError() : gone;
}

function presentVersion<Entity extends Versioned>(id: string, version: number): FindOptionsWhere<Entity> {
  return { id, version } as FindOptionsWhere<Entity>;
}
