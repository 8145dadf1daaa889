import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../platform/audit/audit-log';
import { AuditedWrites } from '../platform/audit/audited-writes';
import type { AuditedAction } from '../platform/audit/audited-actions';
import type { Actor } from '../platform/auth/principal';
import { databaseNowMs } from '../platform/database/connections/database-clock';
import type { Tx } from '../platform/database/database';
import { constraintOf, isMissingReference } from '../platform/database/failure';
import type { PageQueryDto } from '../platform/http/resources/page';
import type { ChangeOptions } from '../platform/http/resources/names';
import { demandVersion, type ExpectedVersions } from '../platform/http/resources/version';
import { maskSecret } from '../platform/secrets/mask-secret';
import { SecretBox } from '../platform/secrets/secret-box';
import type { CreateSourceDto } from './dto/create-source.dto';
import { SourceDto } from './dto/source.dto';
import type { UpdateSourceDto } from './dto/update-source.dto';
import { maskedSignature, parseSignature } from './signature/parse-signature';
import { openSignature, type SealedSignature, sealSignature } from './signature/sealed-signature';
import type { Signature } from './signature/signature';
import type { SignatureDto } from './signature/signature.dto';
import { demandSameKind, demandWebhook, unknownReference } from './source-rules';
import { Source } from './source.entity';
import { SourceRepository } from './source.repository';
import {
  PreviousKeyInUseError,
  SourceInUseError,
  SourceNotFoundError,
  TooManySourcesError,
} from './source-problems';
import { DestinationsOfSource } from './destinations-of-source';
import { hashWriteKey, newWriteKey } from './write-key';
import { WriteKeys } from './write-keys';

/** Far more than anybody has; keeps a script that runs wild from filling the listing. */
export const MAX_SOURCES = 10_000;

/** Keeps the sources that an operator configures. */
@Injectable()
export class SourcesService {
  private readonly logger = new Logger(SourcesService.name);
  private readonly writes: AuditedWrites<Source, 'source'>;

  constructor(
    private readonly sources: SourceRepository,
    private readonly secretBox: SecretBox,
    private readonly writeKeys: WriteKeys,
    private readonly destinations: DestinationsOfSource,
    audit: AuditLog,
  ) {
    this.writes = new AuditedWrites(audit, {
      resource: 'source',
      most: MAX_SOURCES,
      TooMany: TooManySourcesError,
      NotFound: SourceNotFoundError,
      shown: (source) => masked(this.toDto(source)),
    });
  }

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

  /**
   * What the signature of a source would be, and whether with other secrets.
   * @param sourceId of a source that is there
   * @throws InvalidRequestError as a change would
   */
  async previewSignature(
    given: CreateSourceDto,
    sourceId: string | undefined,
  ): Promise<{ readonly signature: SignatureDto | null; readonly changesSecrets: boolean }> {
    const source = sourceId === undefined ? undefined : await this.sources.get(sourceId);
    if (source !== undefined) demandSameKind(source, given);
    demandWebhook(given.kind ?? 'sdk', given);
    const present = source === undefined ? null : this.openSignature(source);
    const signature = given.signature ? parseSignature(given.signature, present ?? undefined) : null;
    return {
      signature: signature && maskedSignature(signature),
      changesSecrets: !isDeepStrictEqual(signature?.secrets, present?.secrets),
    };
  }

  /**
   * @throws NameTakenError, TooManySourcesError, InvalidRequestError when there is no such tracking plan or
   * transformation
   */
  async create(
    given: CreateSourceDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<SourceDto> {
    const { name, kind = 'sdk', description = '', enabled = true, untransformed = 'keep' } = given;
    const { silentAfterMinutes = null, trackingPlanId = null, transformationId = null } = given;
    const id = uuidv7();
    demandWebhook(kind, given);
    const source = Object.assign(new Source(), {
      id,
      name,
      kind,
      untransformed,
      transformationId,
      description,
      enabled,
      silentAfterMinutes,
      trackingPlanId,
      ...this.sealedSignature(given.signature ?? null, undefined),
      ...this.newKey(id),
      previousWriteKeyHash: null,
      previousWriteKeyExpiresAt: null,
      version: 1,
    });
    return this.change(async (entities, tx) =>
      this.toDto(await this.writes.create(source, { entities, tx, actor, allowDuplicate })),
    );
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
      demandSameKind(source, changes);
      demandWebhook(source.kind, changes);
      source.name = changes.name ?? source.name;
      source.description = changes.description ?? source.description;
      source.enabled = changes.enabled ?? source.enabled;
      source.untransformed = changes.untransformed ?? source.untransformed;
      if (changes.silentAfterMinutes !== undefined) source.silentAfterMinutes = changes.silentAfterMinutes;
      if (changes.trackingPlanId !== undefined) source.trackingPlanId = changes.trackingPlanId;
      if (changes.transformationId !== undefined) source.transformationId = changes.transformationId;
      if (changes.signature !== undefined) {
        Object.assign(source, this.sealedSignature(changes.signature, source));
      }
    });
  }

  /**
   * Makes a new write key; the present one works for `overlapSeconds` more.
   * @throws SourceNotFoundError, PreviousKeyInUseError when that would end one before it
   */
  async rotateWriteKey(sourceId: string, overlapSeconds: number, actor: Actor): Promise<SourceDto> {
    return this.replace(sourceId, { action: 'rotate_write_key', actor, allowDuplicate: true }, (source) => {
      const nowMs = databaseNowMs();
      const previousEnd = source.previousWriteKeyExpiresAt;
      const isEnding = overlapSeconds === 0;
      if (!isEnding && previousEnd !== null && previousEnd.getTime() > nowMs)
        throw new PreviousKeyInUseError(source.name, previousEnd);
      source.previousWriteKeyHash = isEnding ? null : source.writeKeyHash;
      source.previousWriteKeyExpiresAt = isEnding ? null : new Date(nowMs + overlapSeconds * 1000);
      Object.assign(source, this.newKey(source.id));
    });
  }

  /** @throws SourceNotFoundError, VersionMismatchError, SourceInUseError */
  async delete(sourceId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const source = await this.sources.get(sourceId);
    demandVersion(expected, source.version);
    await this.change(async (entities, tx) => {
      await this.writes.delete(source, { entities, tx, actor });
      // Its row is locked now: a destination that is about to name it has done so, or finds that it is gone.
      const destinations = await this.destinations.naming(source.id, tx);
      if (destinations.length > 0) throw new SourceInUseError(source.name, destinations);
    });
  }

  private newKey(sourceId: string): Pick<Source, 'writeKeyHash' | 'writeKeySealed'> {
    const writeKey = newWriteKey(sourceId);
    return { writeKeyHash: hashWriteKey(writeKey), writeKeySealed: this.secretBox.seal(writeKey) };
  }

  private sealedSignature(given: SignatureDto | null, present: SealedSignature | undefined): SealedSignature {
    const before = present === undefined ? null : this.openSignature(present);
    const signature = given === null ? null : parseSignature(given, before ?? undefined);
    // Sealed once more it would look like a change.
    if (present !== undefined && isDeepStrictEqual(signature, before)) return present;
    return sealSignature(signature, this.secretBox);
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
    const before = this.writes.shown(source);
    edit(source);
    return this.change(async (entities, tx) =>
      this.toDto(await this.writes.update(source, before, { entities, tx, actor, allowDuplicate, action })),
    );
  }

  /** Runs a change in a transaction, after which every lookup by write key sees it. */
  private async change<T>(work: (sources: Repository<Source>, tx: Tx) => Promise<T>): Promise<T> {
    try {
      const result = await this.sources.change(work);
      await this.writeKeys.refresh();
      return result;
    } catch (error) {
      throw isMissingReference(error) ? unknownReference(constraintOf(error)) : error;
    }
  }

  private toDto(source: Source): SourceDto {
    const signature = this.openSignature(source);
    return SourceDto.from(source, this.openKey(source), signature && maskedSignature(signature));
  }

  /** Without secrets where they cannot be opened. */
  private openSignature(source: SealedSignature & { readonly id?: string }): Signature | null {
    try {
      return openSignature(source, this.secretBox);
    } catch (error) {
      // May stop here: the operator is told, and giving the secrets again mends it.
      this.logger.error(`The signature of source ${source.id} cannot be shown: ${String(error)}`);
      return source.signature && { ...source.signature, secrets: [] };
    }
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

function masked(source: SourceDto): SourceDto {
  const writeKey = source.writeKey && maskSecret(source.writeKey);
  return Object.assign(new SourceDto(), source, { writeKey });
}
