import { isDeepStrictEqual } from 'node:util';
import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Problem } from '../../http/problems/problem';
import { ChangedMeanwhileError } from '../../http/resources/version';
import type { Resource } from './resource.entity';

/**
 * Writes the next version of an entity that was read as its present version. One that has changed in nothing stays at
 * its version, so that nobody's `If-Match` breaks.
 * @returns the entity as it is stored now.
 * @throws ChangedMeanwhileError when it is not the present version any more, `gone` when it was deleted.
 */
export async function saveNextVersion<Entity extends Resource>(
  repository: Repository<Entity>,
  entity: Entity,
  gone: Problem,
): Promise<Entity> {
  const { id, version, createdAt: _, updatedAt: __, ...columns } = entity;
  const present = await repository.findOneBy(presentVersion<Entity>(id, version));
  if (present !== null && isChangedInNothing(present, columns)) return present;
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

/** Compared as JSON: what a column holds may be an instance here and plain data there. */
function isChangedInNothing(present: Resource, columns: object): boolean {
  const given = asJson(columns);
  return isDeepStrictEqual({ ...asJson(present), ...given }, asJson(present));
}

function asJson(columns: object): object {
  return JSON.parse(JSON.stringify(columns)) as object;
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
