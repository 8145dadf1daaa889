import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../../platform/audit/audit-log';
import { AuditedWrites } from '../../platform/audit/audited-writes';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { isMissingReference } from '../../platform/database/failure';
import type { ChangeOptions } from '../../platform/http/resources/names';
import type { PageQueryDto } from '../../platform/http/resources/page';
import { InvalidRequestError, type ProblemDetail } from '../../platform/http/problems/problem';
import { demandVersion, type ExpectedVersions } from '../../platform/http/resources/version';
import { codeProblem } from '../code-problem';
import { Sandbox } from '../sandbox/sandbox';
import { Transformation } from '../transformation.entity';
import { TransformationRepository } from '../transformation.repository';
import {
  TooManyTransformationsError,
  TransformationInUseError,
  TransformationNotFoundError,
  TransformationVersionNotFoundError,
} from '../transformation-problems';
import type { VersionEntry } from '../../platform/database/resources/versions';
import {
  type TransformationDefinition,
  type TransformationVersion,
  transformationVersions,
} from '../transformation-versions';
import type { CreateTransformationDto } from './dto/create-transformation.dto';
import type { UpdateTransformationDto } from './dto/update-transformation.dto';

export const MAX_TRANSFORMATIONS = 1_000;

/** Keeps the transformations that operators write. */
@Injectable()
export class TransformationsService {
  private readonly writes: AuditedWrites<Transformation, 'transformation'>;

  constructor(
    private readonly transformations: TransformationRepository,
    private readonly database: Database,
    private readonly sandbox: Sandbox,
    audit: AuditLog,
  ) {
    this.writes = new AuditedWrites(audit, {
      resource: 'transformation',
      most: MAX_TRANSFORMATIONS,
      TooMany: TooManyTransformationsError,
      NotFound: TransformationNotFoundError,
      shown: definitionOf,
    });
  }

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  findAll(page?: PageQueryDto): Promise<Transformation[]> {
    return this.transformations.findPage(page);
  }

  /** @throws TransformationNotFoundError */
  findOne(id: string): Promise<Transformation> {
    return this.transformations.get(id);
  }

  /** Newest first. @throws TransformationNotFoundError */
  async findVersions(id: string): Promise<VersionEntry[]> {
    await this.transformations.demand(id);
    return transformationVersions.list(id, this.database);
  }

  /** @throws TransformationNotFoundError, TransformationVersionNotFoundError */
  async findVersion(id: string, version: string): Promise<TransformationVersion> {
    await this.transformations.demand(id);
    const found = await transformationVersions.find(id, version, this.database);
    if (found === undefined) throw new TransformationVersionNotFoundError(version);
    return found;
  }

  /** What is wrong with a code. Its `transform` is not called. */
  async check(code: string): Promise<ProblemDetail[]> {
    const failure = await this.sandbox.check(code);
    return failure === undefined ? [] : [codeProblem(failure)];
  }

  /** @throws InvalidRequestError for code that cannot be loaded, NameTakenError, TooManyTransformationsError */
  async create(
    { name, description = '', code }: CreateTransformationDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<Transformation> {
    await this.demandCode(code);
    const made = { id: uuidv7(), name, description, code, version: 1 };
    const transformation = Object.assign(new Transformation(), made);
    return this.transformations.change(async (entities, tx) => {
      const created = await this.writes.create(transformation, { entities, tx, actor, allowDuplicate });
      await transformationVersions.write(created.id, created.version, definitionOf(created), tx);
      return created;
    });
  }

  /**
   * Changes the members that are given.
   * @throws TransformationNotFoundError, VersionMismatchError, InvalidRequestError, NameTakenError
   */
  async update(
    id: string,
    changes: UpdateTransformationDto,
    actor: Actor,
    { expected, allowDuplicate = false }: ChangeOptions = {},
  ): Promise<Transformation> {
    const transformation = await this.transformations.get(id);
    demandVersion(expected, transformation.version);
    const before = definitionOf(transformation);
    const { name = before.name, description = before.description, code = before.code } = changes;
    if (code !== before.code) await this.demandCode(code);
    Object.assign(transformation, { name, description, code });
    return this.transformations.change(async (entities, tx) => {
      const write = { entities, tx, actor, allowDuplicate };
      const changed = await this.writes.update(transformation, before, write);
      if (changed.version !== transformation.version)
        await transformationVersions.write(id, changed.version, definitionOf(changed), tx);
      return changed;
    });
  }

  /** @throws TransformationNotFoundError, VersionMismatchError, TransformationInUseError */
  async delete(id: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const transformation = await this.transformations.get(id);
    demandVersion(expected, transformation.version);
    try {
      await this.transformations.change((entities, tx) =>
        this.writes.delete(transformation, { entities, tx, actor }),
      );
    } catch (error) {
      throw isMissingReference(error) ? new TransformationInUseError() : error;
    }
  }

  private async demandCode(code: string): Promise<void> {
    const problems = await this.check(code);
    if (problems.length > 0) throw new InvalidRequestError(problems);
  }
}

function definitionOf({ name, description, code }: Transformation): TransformationDefinition {
  return { name, description, code };
}
