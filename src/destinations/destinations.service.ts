import { Injectable } from '@nestjs/common';
import { AuditLog, type Change } from '../platform/audit/audit-log';
import type { AuditedAction } from '../platform/audit/audited-actions';
import type { Actor } from '../platform/auth/principal';
import type { Tx } from '../platform/database/database';
import { demandFreeName } from '../platform/database/resources/demand-free-name';
import { deleteVersion, saveNextVersion } from '../platform/database/resources/versioned-writes';
import type { PageQueryDto } from '../platform/http/resources/page';
import type { ChangeOptions } from '../platform/http/resources/names';
import { demandVersion, type ExpectedVersions } from '../platform/http/resources/version';
import { NO_USE, noteTraitUse } from '../segments/computed-traits/trait-uses';
import { DestinationEditor } from './destination-editor';
import { DestinationRepository } from './destination.repository';
import { DestinationNotFoundError, TooManyDestinationsError } from './destination-problems';
import { holdReferences } from './hold-references';
import { noteTraits } from './note-traits';
import type { CreateDestinationDto } from './dto/create-destination.dto';
import type { DestinationDto } from './dto/destination.dto';
import type { UpdateDestinationDto } from './dto/update-destination.dto';

/** Routing looks at every destination for every event. */
export const MAX_DESTINATIONS = 10_000;

/** Keeps the destinations that an operator configures; their secrets are sealed at rest. */
@Injectable()
export class DestinationsService {
  constructor(
    private readonly destinations: DestinationRepository,
    private readonly editor: DestinationEditor,
    private readonly audit: AuditLog,
  ) {}

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
    return this.destinations.change(async (destinations, tx) => {
      await holdReferences(given, tx);
      if (!allowDuplicate) await demandFreeName(destinations, destination);
      if ((await destinations.count()) >= MAX_DESTINATIONS)
        throw new TooManyDestinationsError(MAX_DESTINATIONS);
      const created = await destinations.save(destination);
      await noteTraits(created, tx);
      await this.record(tx, actor, 'create', { after: this.editor.toMaskedDto(created) });
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
    const isRenamed = destination.name !== before.name;
    return this.destinations.change(async (destinations, tx) => {
      await holdReferences(changes, tx);
      if (isRenamed && !allowDuplicate) await demandFreeName(destinations, destination);
      const gone = new DestinationNotFoundError(destinationId);
      const saved = await saveNextVersion(destinations, destination, gone);
      const after = this.editor.toMaskedDto(saved);
      if (after.version === before.version) return after;
      await noteTraits(saved, tx);
      if (after.enabled !== before.enabled)
        await this.destinations.tellSwitched(destinationId, after.enabled, tx);
      await this.record(tx, actor, 'update', { before, after });
      return after;
    });
  }

  /** @throws DestinationNotFoundError, VersionMismatchError */
  async delete(destinationId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const destination = await this.destinations.get(destinationId);
    demandVersion(expected, destination.version);
    await this.destinations.change(async (destinations, tx) => {
      await deleteVersion(destinations, destination, new DestinationNotFoundError(destinationId));
      await noteTraitUse(destinationId, NO_USE, tx);
      await this.record(tx, actor, 'delete', { before: this.editor.toMaskedDto(destination) });
    });
  }

  private async record(
    tx: Tx,
    actor: Actor,
    action: AuditedAction<'destination'>,
    states: { readonly before?: DestinationDto; readonly after?: DestinationDto },
  ): Promise<void> {
    const resourceId = states.after?.id ?? states.before?.id ?? '';
    const change: Change = { action, resource: 'destination', resourceId, ...states };
    await this.audit.record(tx, actor, change);
  }
}
