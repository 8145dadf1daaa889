import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../../../platform/audit/audit-log';
import type { Actor } from '../../../platform/auth/principal';
import { Config } from '../../../platform/config/config';
import { Database, type Tx } from '../../../platform/database/database';
import { demandFreeName } from '../../../platform/database/resources/demand-free-name';
import { failureOf } from '../../../platform/database/failure';
import { deleteVersion, saveNextVersion } from '../../../platform/database/resources/versioned-writes';
import type { PageQueryDto } from '../../../platform/http/resources/page';
import { InvalidRequestError, type ProblemDetail } from '../../../platform/http/problems/problem';
import { demandVersion, type ExpectedVersions } from '../../../platform/http/resources/version';
import { sameJson } from '../../../language/compare-values';
import type { JsonObject } from '../../../events/customer-event';
import { changeRevision } from '../../definitions/revision';
import { segmentsThatName } from '../../definitions/segments-that-name';
import { parseBoundedDefinition } from '../../rules/parsing/check-definition';
import { definitionIn, type MeasureDefinition } from '../../rules/named-measures';
import { isAsked } from '../../askers';
import { DestinationNames } from '../../destination-names';
import { SegmentsBusyError } from '../../segment-problems';
import {
  ComputedTraitInUseError,
  ComputedTraitNotFoundError,
  TooManyComputedTraitsError,
} from '../computed-trait-problems';
import { ComputedTrait } from '../computed-trait.entity';
import { discardKept } from '../keeping/discard-kept';
import { type KeptState, readValueStates } from '../kept-states';
import { destinationsThatName } from '../trait-uses';
import { ComputedTraitRepository } from '../computed-trait.repository';
import type { CreateComputedTraitDto } from './dto/create-computed-trait.dto';
import type { UpdateComputedTraitDto } from './dto/update-computed-trait.dto';

/** Each is counted whenever a profile is shown. */
export const MAX_COMPUTED_TRAITS = 100;

/**
 * Keeps the computed traits that operators define. Those that rules of segments or filters of destinations name do not
 * change: members belong to what they meant.
 */
@Injectable()
export class ComputedTraitsService {
  constructor(
    private readonly traits: ComputedTraitRepository,
    private readonly audit: AuditLog,
    private readonly config: Config,
    private readonly database: Database,
    private readonly destinationNames: DestinationNames,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  findAll(page?: PageQueryDto): Promise<ComputedTrait[]> {
    return this.traits.findPage(page);
  }

  /** Of those, by id, whose values are not counted whenever somebody asks. */
  valueStates(): Promise<ReadonlyMap<string, KeptState>> {
    return readValueStates(this.database);
  }

  /** @throws ComputedTraitNotFoundError */
  findOne(id: string): Promise<ComputedTrait> {
    return this.traits.get(id);
  }

  /** @throws InvalidRequestError, NameTakenError, TooManyComputedTraitsError, SegmentsBusyError */
  async create(
    { name, description = '', ...definition }: CreateComputedTraitDto,
    actor: Actor,
  ): Promise<ComputedTrait> {
    const made = { id: uuidv7(), name, description, definition: this.checked(definition), version: 1 };
    const trait = Object.assign(new ComputedTrait(), made);
    return this.change(async (all, tx) => {
      await demandFreeName(all, trait, { mayRepeat: false });
      if ((await all.count()) >= MAX_COMPUTED_TRAITS)
        throw new TooManyComputedTraitsError(MAX_COMPUTED_TRAITS);
      const created = await all.save(trait);
      const entry = { action: 'create', resource: 'computed_trait', resourceId: created.id } as const;
      await this.audit.record(tx, actor, { ...entry, after: shownOf(created) });
      return created;
    });
  }

  /**
   * Changes the members that are given; what is counted, from `event` to `to`, is replaced as a whole.
   * @throws ComputedTraitNotFoundError, VersionMismatchError, InvalidRequestError, NameTakenError,
   *   ComputedTraitInUseError, SegmentsBusyError
   */
  async update(
    id: string,
    changes: UpdateComputedTraitDto,
    actor: Actor,
    expected?: ExpectedVersions,
  ): Promise<ComputedTrait> {
    const trait = await this.traits.get(id);
    demandVersion(expected, trait.version);
    const before = shownOf(trait);
    const asked = { id, name: trait.name };
    const { name = trait.name, description = trait.description, ...members } = changes;
    const isGiven = Object.values(members).some((member) => member !== undefined);
    const definition = isGiven ? definitionIn(members) : trait.definition;
    const changed = changedMembers(trait, { name, definition });
    const isRedefined = changed.some((member) => member !== 'name');
    const work: Change<ComputedTrait> = async (all, tx) => {
      // First: nobody is to mend what is wrong, and then hear that it cannot be changed.
      if (changed.length > 0) await this.demandUnused(asked, tx, changed);
      if (isGiven) this.checked(definition);
      const isRenamed = name !== trait.name;
      Object.assign(trait, { name, description, definition });
      if (isRenamed) await demandFreeName(all, trait, { mayRepeat: false });
      const saved = await saveNextVersion(all, trait, new ComputedTraitNotFoundError(id));
      if (saved.version === trait.version) return saved;
      const entry = { action: 'update', resource: 'computed_trait', resourceId: id } as const;
      await this.audit.record(tx, actor, { ...entry, before, after: shownOf(saved) });
      return saved;
    };
    return this.change(work, isRedefined ? (tx) => discardKept(id, tx) : undefined);
  }

  /** @throws ComputedTraitNotFoundError, VersionMismatchError, ComputedTraitInUseError, SegmentsBusyError */
  async delete(id: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const trait = await this.traits.get(id);
    demandVersion(expected, trait.version);
    await this.change(async (all, tx) => {
      await this.demandUnused(trait, tx);
      await deleteVersion(all, trait, new ComputedTraitNotFoundError(id));
      const entry = { action: 'delete', resource: 'computed_trait', resourceId: id } as const;
      await this.audit.record(tx, actor, { ...entry, before: shownOf(trait) });
    });
  }

  /**
   * Alone with all definitions, as changes of segments are: nobody begins to ask about a trait meanwhile.
   * @param before takes locks that come before that of the definitions
   */
  private async change<T>(work: Change<T>, before?: (tx: Tx) => Promise<void>): Promise<T> {
    try {
      return await this.traits.change(async (all, tx) => {
        await before?.(tx);
        await changeRevision(tx);
        return work(all, tx);
      });
    } catch (error) {
      throw failureOf(error) === 'lock_timeout' ? new SegmentsBusyError() : error;
    }
  }

  /** What is wrong with what is to be counted, by the names of members. */
  check(definition: MeasureDefinition): ProblemDetail[] {
    const parsed = parseBoundedDefinition(definition, this.config.events.retentionDays);
    return parsed.ok ? [] : [...parsed.errors];
  }

  /** @param members those that are to change; none where it is to be deleted */
  private async demandUnused(
    { id, name }: Pick<ComputedTrait, 'id' | 'name'>,
    tx: Tx,
    members: readonly string[] = [],
  ): Promise<void> {
    const segments = await segmentsThatName(name, tx);
    const ids = await destinationsThatName(id, tx);
    const names = await this.destinationNames.of(ids, tx);
    const askers = { segments, destinations: ids.map((one) => names.get(one) ?? one) };
    if (isAsked(askers)) throw new ComputedTraitInUseError(name, askers, members);
  }

  private checked(members: Partial<MeasureDefinition>): MeasureDefinition {
    const definition = definitionIn(members);
    const errors = this.check(definition);
    if (errors.length > 0) throw new InvalidRequestError(errors);
    return definition;
  }
}

type Change<T> = (all: Repository<ComputedTrait>, tx: Tx) => Promise<T>;

type Meaning = Pick<ComputedTrait, 'name' | 'definition'>;

/** The members that are others than before, the description aside. */
function changedMembers(before: Meaning, after: Meaning): string[] {
  const membersOf = ({ name, definition }: Meaning): JsonObject => ({
    name,
    ...(definition as unknown as JsonObject),
  });
  const [old, young] = [membersOf(before), membersOf(after)];
  return Object.keys({ ...old, ...young }).filter(
    (member) => !sameJson(old[member] ?? null, young[member] ?? null),
  );
}

/** What an operator sets, for the audit. */
function shownOf({ name, description, definition }: ComputedTrait): object {
  return { name, description, ...definition };
}
