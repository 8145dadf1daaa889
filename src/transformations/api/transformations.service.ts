import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { demandFreeName } from '../../platform/database/resources/demand-free-name';
import { isMissingReference } from '../../platform/database/failure';
import { deleteVersion, saveNextVersion } from '../../platform/database/resources/versioned-writes';
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
  listVersions,
  readVersion,
  type TransformationVersion,
  writeVersion,
} from '../transformation-versions';
import type { CreateTransformationDto } from './dto/create-transformation.dto';
import type { UpdateTransformationDto } from './dto/update-transformation.dto';

export const MAX_TRANSFORMATIONS = 1_000;
const VERSION = /^\d{1,9}$/;

/** Keeps the transformations that operators write. */
@Injectable()
export class TransformationsService {
  constructor(
    private readonly transformations: TransformationRepository,
    private readonly database: Database,
    private readonly sandbox: Sandbox,
    private readonly audit: AuditLog,
  ) {}

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
    return listVersions(id, this.database);
  }

  /** @throws TransformationNotFoundError, TransformationVersionNotFoundError */
  async findVersion(id: string, version: string): Promise<TransformationVersion> {
    await this.transformations.demand(id);
    const found = VERSION.test(version) ? await readVersion(id, Number(version), this.database) : undefined;
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
    return this.transformations.change(async (all, tx) => {
      if (!allowDuplicate) await demandFreeName(all, transformation);
      if ((await all.count()) >= MAX_TRANSFORMATIONS)
        throw new TooManyTransformationsError(MAX_TRANSFORMATIONS);
      const created = await all.save(transformation);
      await this.writeDown(created, { tx, actor, action: 'create' });
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
    return this.transformations.change(async (all, tx) => {
      if (name !== before.name && !allowDuplicate) await demandFreeName(all, transformation);
      const changed = await saveNextVersion(all, transformation, new TransformationNotFoundError(id));
      if (changed.version === transformation.version) return changed;
      await this.writeDown(changed, { tx, actor, action: 'update', before });
      return changed;
    });
  }

  /** @throws TransformationNotFoundError, VersionMismatchError, TransformationInUseError */
  async delete(id: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const transformation = await this.transformations.get(id);
    demandVersion(expected, transformation.version);
    try {
      await this.transformations.change(async (all, tx) => {
        await deleteVersion(all, transformation, new TransformationNotFoundError(id));
        const before = definitionOf(transformation);
        const entry = { action: 'delete', resource: 'transformation', resourceId: id, before } as const;
        await this.audit.record(tx, actor, entry);
      });
    } catch (error) {
      throw isMissingReference(error) ? new TransformationInUseError() : error;
    }
  }

  private async demandCode(code: string): Promise<void> {
    const problems = await this.check(code);
    if (problems.length > 0) throw new InvalidRequestError(problems);
  }

  private async writeDown(
    transformation: Transformation,
    {
      tx,
      actor,
      action,
      before,
    }: { tx: Tx; actor: Actor; action: AuditedAction<'transformation'>; before?: Definition },
  ): Promise<void> {
    const after = definitionOf(transformation);
    await writeVersion(transformation.id, { ...after, version: transformation.version }, tx);
    const resourceId = transformation.id;
    await this.audit.record(tx, actor, { action, resource: 'transformation', resourceId, before, after });
  }
}

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** What an operator sets. */
function definitionOf({ name, description, code }: Transformation): Definition {
  return { name, description, code };
}
