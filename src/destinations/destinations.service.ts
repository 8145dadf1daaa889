import { Injectable } from '@nestjs/common';
import { AuditLog } from '../platform/audit/audit-log';
import { AuditedWrites } from '../platform/audit/audited-writes';
import type { Actor } from '../platform/auth/principal';
import type { PageQueryDto } from '../platform/http/resources/page';
import type { ChangeOptions } from '../platform/http/resources/names';
import { demandVersion, type ExpectedVersions } from '../platform/http/resources/version';
import { NO_USE, noteTraitUse } from '../segments/computed-traits/trait-uses';
import { DestinationEditor } from './destination-editor';
import type { Destination } from './destination.entity';
import { DestinationRepository } from './destination.repository';
import { DestinationNotFoundError, TooManyDestinationsError } from './destination-problems';
import { shareLockReferences } from './share-lock-references';
import { noteTraits } from './note-traits';
import type { CreateDestinationDto } from './dto/create-destination.dto';
import type { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';

/** Routing looks at every destination for every event. */
export const MAX_DESTINATIONS = 10_000;

/** Keeps the destinations that an operator configures; their secrets are sealed at rest. */
@Injectable()
export class DestinationsService {
  private readonly writes: AuditedWrites<Destination, 'destination'>;

  constructor(
    private readonly destinations: DestinationRepository,
    private readonly editor: DestinationEditor,
    audit: AuditLog,
  ) {
    this.writes = new AuditedWrites(audit, {
      resource: 'destination',
      most: MAX_DESTINATIONS,
      TooMany: TooManyDestinationsError,
      NotFound: DestinationNotFoundError,
      shown: (destination) => editor.toMaskedDto(destination),
    });
  }

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async findAll(page?: PageQueryDto): Promise<DestinationDto[]> {
    const destinations = await this.destinations.findPage(page);
    return destinations.map((destination) => this.editor.toMaskedDto(destination));
  }

  /** @throws DestinationNotFoundError */
  async findOne(destinationId: string): Promise<DestinationDto> {
    return this.editor.toMaskedDto(await this.destinations.get(destinationId));
  }

  /** Returns signing secrets in full, which nothing else does. @throws InvalidRequestError, NameTakenError */
  async create(
    given: CreateDestinationDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<DestinationDto> {
    const destination = await this.editor.make(given);
    return this.destinations.change(async (entities, tx) => {
      await shareLockReferences(given, tx);
      const created = await this.writes.create(destination, { entities, tx, actor, allowDuplicate });
      await noteTraits(created, tx);
      return this.editor.toCreatedDto(created);
    });
  }

  /** Changes the members that are given. @throws DestinationNotFoundError, VersionMismatchError, NameTakenError */
  async update(
    destinationId: string,
    changes: UpdateDestinationDto,
    actor: Actor,
    { expected, allowDuplicate = false }: ChangeOptions = {},
  ): Promise<DestinationDto> {
    const destination = await this.destinations.get(destinationId);
    demandVersion(expected, destination.version);
    const before = this.editor.toMaskedDto(destination);
    await this.editor.apply(changes, destination);
    return this.destinations.change(async (entities, tx) => {
      await shareLockReferences(changes, tx);
      const saved = await this.writes.update(destination, before, { entities, tx, actor, allowDuplicate });
      if (saved.version !== destination.version) await noteTraits(saved, tx);
      if (saved.enabled !== before.enabled)
        await this.destinations.tellSwitched(destinationId, saved.enabled, tx);
      return this.editor.toMaskedDto(saved);
    });
  }

  /** @throws DestinationNotFoundError, VersionMismatchError */
  async delete(destinationId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const destination = await this.destinations.get(destinationId);
    demandVersion(expected, destination.version);
    await this.destinations.change(async (entities, tx) => {
      await this.writes.delete(destination, { entities, tx, actor });
      await noteTraitUse(destinationId, NO_USE, tx);
    });
  }
}
