import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Problem } from '../../http/problems/problem';
import { ChangedMeanwhileError } from '../../http/resources/version';
import type { Resource } from './resource.entity';

/**
 * Writes the next version of an entity that was read as its present version.
 * @returns the entity as it is stored now.
 * @throws ChangedMeanwhileError when it is not the present version any more, `gone` when it was deleted.
 */
export async function saveNextVersion<Entity extends Resource>(
  repository: Repository<Entity>,
  entity: Entity,
  gone: Problem,
): Promise<Entity> {
  const { id, version, createdAt: _, updatedAt: __, ...columns } = entity;
  const result = await repository.update(presentVersion<Entity>(id, version), {
    ...(columns as object),
    version: version + 1,
    // The declared type wants to know the columns of an entity that is generic here.
  } as never);
  if (result.affected !== 1) throw await changedOrGone(repository, id, gone);
  return repository.findOneByOrFail({ id } as FindOptionsWhere<Entity>);
}

/** @throws ChangedMeanwhileError when it is not the present version any more, `gone` when it was deleted. */
export async function deleteVersion<Entity extends Resource>(
  repository: Repository<Entity>,
  { id, version }: Entity,
  gone: Problem,
): Promise<void> {
  const result = await repository.delete(presentVersion<Entity>(id, version));
  if (result.affected !== 1) throw await changedOrGone(repository, id, gone);
}

async function changedOrGone<Entity extends Resource>(
  repository: Repository<Entity>,
  id: string,
  gone: Problem,
): Promise<Problem> {
  const exists = await repository.existsBy({ id } as FindOptionsWhere<Entity>);
  return exists ? new ChangedMeanwhileError() : gone;
}

function presentVersion<Entity extends Resource>(id: string, version: number): FindOptionsWhere<Entity> {
  return { id, version } as FindOptionsWhere<Entity>;
}
