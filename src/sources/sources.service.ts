import { Injectable, Logger } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../platform/audit/audit-log';
import type { AuditedAction } from '../platform/audit/audited-actions';
import type { Actor } from '../platform/auth/principal';
import type { Tx } from '../platform/database/database';
import { demandFreeName } from '../platform/database/demand-free-name';
import { isMissingReference } from '../platform/database/failure';
import { deleteVersion, saveNextVersion } from '../platform/database/versioned';
import type { PageQueryDto } from '../platform/http/page';
import type { ChangeOptions } from '../platform/http/names';
import { InvalidRequestError } from '../platform/http/problem';
import { demandVersion, type ExpectedVersions } from '../platform/http/version';
import { maskSecret } from '../platform/secrets/mask-secret';
import { SecretBox } from '../platform/secrets/secret-box';
import type { CreateSourceDto } from './dto/create-source.dto';
import { SourceDto } from './dto/source.dto';
import type { UpdateSourceDto } from './dto/update-source.dto';
import { Source } from './source.entity';
import { SourceRepository } from './source.repository';
import { SourceNotFoundError, TooManySourcesError } from './source-problems';
import { hashWriteKey, newWriteKey } from './write-key';
import { WriteKeys } from './write-keys';

/** Far more than anybody has; keeps a script that runs wild from filling the listing. */
const MAX_SOURCES = 10_000;

/** Keeps the sources that an operator configures. */
@Injectable()
export class SourcesService {
  private readonly logger = new Logger(SourcesService.name);

  constructor(
    private readonly sources: SourceRepository,
    private readonly secretBox: SecretBox,
    private readonly audit: AuditLog,
    private readonly writeKeys: WriteKeys,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async findAll(page?: PageQueryDto): Promise<SourceDto[]> {
    const sources = await this.sources.findPage(page);
    return sources.map((source) => this.toDto(source));
  }

  /** Without opening what is sealed. */
  async findIds(): Promise<string[]> {
    return (await this.sources.findPage()).map(({ id }) => id);
  }

  /** Without opening what is sealed. @throws SourceNotFoundError */
  demand(sourceId: string): Promise<void> {
    return this.sources.demand(sourceId);
  }

  /** @throws SourceNotFoundError */
  async findOne(sourceId: string): Promise<SourceDto> {
    return this.toDto(await this.sources.get(sourceId));
  }

  /** @throws NameTakenError, TooManySourcesError, InvalidRequestError when there is no such tracking plan */
  async create(
    given: CreateSourceDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<SourceDto> {
    const { name, description = '', enabled = true } = given;
    const { silentAfterMinutes = null, trackingPlanId = null } = given;
    const id = uuidv7();
    const source = Object.assign(new Source(), {
      id,
      name,
      description,
      enabled,
      silentAfterMinutes,
      trackingPlanId,
      ...this.newKey(id),
      previousWriteKeyHash: null,
      previousWriteKeyExpiresAt: null,
      version: 1,
    });
    return this.change(async (sources, tx) => {
      if (!allowDuplicate) await demandFreeName(sources, source);
      if ((await sources.count()) >= MAX_SOURCES) throw new TooManySourcesError(MAX_SOURCES);
      const created = this.toDto(await sources.save(source));
      await this.record(tx, actor, 'create', undefined, created);
      return created;
    });
  }

  /** Changes the members that are given. @throws SourceNotFoundError, VersionMismatchError, NameTakenError */
  async update(
    sourceId: string,
    changes: UpdateSourceDto,
    actor: Actor,
    { expected, allowDuplicate = false }: ChangeOptions = {},
  ): Promise<SourceDto> {
    return this.replace(sourceId, { action: 'update', actor, allowDuplicate }, (source) => {
      demandVersion(expected, source.version);
      source.name = changes.name ?? source.name;
      source.description = changes.description ?? source.description;
      source.enabled = changes.enabled ?? source.enabled;
      if (changes.silentAfterMinutes !== undefined) source.silentAfterMinutes = changes.silentAfterMinutes;
      if (changes.trackingPlanId !== undefined) source.trackingPlanId = changes.trackingPlanId;
    });
  }

  /** Makes a new write key; the present one works for `overlapSeconds` more. @throws SourceNotFoundError */
  async rotateWriteKey(sourceId: string, overlapSeconds: number, actor: Actor): Promise<SourceDto> {
    return this.replace(sourceId, { action: 'rotate_write_key', actor, allowDuplicate: true }, (source) => {
      source.previousWriteKeyHash = overlapSeconds === 0 ? null : source.writeKeyHash;
      source.previousWriteKeyExpiresAt =
        overlapSeconds === 0 ? null : new Date(Date.now() + overlapSeconds * 1000);
      Object.assign(source, this.newKey(source.id));
    });
  }

  /** @throws SourceNotFoundError, VersionMismatchError */
  async delete(sourceId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const source = await this.sources.get(sourceId);
    demandVersion(expected, source.version);
    await this.change(async (sources, tx) => {
      await deleteVersion(sources, source, new SourceNotFoundError(sourceId));
      await this.record(tx, actor, 'delete', this.toDto(source), undefined);
    });
  }

  private newKey(sourceId: string): Pick<Source, 'writeKeyHash' | 'writeKeySealed'> {
    const writeKey = newWriteKey(sourceId);
    return { writeKeyHash: hashWriteKey(writeKey), writeKeySealed: this.secretBox.seal(writeKey) };
  }

  private async replace(
    sourceId: string,
    {
      action,
      actor,
      allowDuplicate,
    }: { action: AuditedAction<'source'>; actor: Actor; allowDuplicate: boolean },
    edit: (source: Source) => void,
  ): Promise<SourceDto> {
    const source = await this.sources.get(sourceId);
    const before = this.toDto(source);
    edit(source);
    const isRenamed = source.name !== before.name;
    return this.change(async (sources, tx) => {
      if (isRenamed && !allowDuplicate) await demandFreeName(sources, source);
      const after = this.toDto(await saveNextVersion(sources, source, new SourceNotFoundError(sourceId)));
      await this.record(tx, actor, action, before, after);
      return after;
    });
  }

  /** Runs a change in a transaction, after which every lookup by write key sees it. */
  private async change<T>(work: (sources: Repository<Source>, tx: Tx) => Promise<T>): Promise<T> {
    try {
      const result = await this.sources.change(work);
      await this.writeKeys.refresh();
      return result;
    } catch (error) {
      throw isMissingReference(error) ? unknownTrackingPlan() : error;
    }
  }

  private async record(
    tx: Tx,
    actor: Actor,
    action: AuditedAction<'source'>,
    before: SourceDto | undefined,
    after: SourceDto | undefined,
  ): Promise<void> {
    const resourceId = after?.id ?? before?.id ?? '';
    const change = {
      action,
      resource: 'source',
      resourceId,
      before: masked(before),
      after: masked(after),
    } as const;
    await this.audit.record(tx, actor, change);
  }

  private toDto(source: Source): SourceDto {
    return SourceDto.from(source, this.openKey(source));
  }

  /** Events are taken by the hash of a key: one that cannot be shown keeps nothing else back. */
  private openKey({ id, writeKeySealed }: Source): string | null {
    const writeKey = this.secretBox.tryOpen(writeKeySealed);
    // Rotating the key mends it.
    if (writeKey === undefined)
      this.logger.error(`The write key of source ${id} cannot be opened with CDP_ENCRYPTION_KEY.`);
    return writeKey ?? null;
  }
}

/** The only thing that a source refers to. */
function unknownTrackingPlan(): InvalidRequestError {
  const message = 'There is no tracking plan with this id.';
  return new InvalidRequestError([{ path: 'trackingPlanId', code: 'unknown_tracking_plan', message }]);
}

function masked(source: SourceDto | undefined): SourceDto | undefined {
  return (
    source &&
    Object.assign(new SourceDto(), source, { writeKey: source.writeKey && maskSecret(source.writeKey) })
  );
}
