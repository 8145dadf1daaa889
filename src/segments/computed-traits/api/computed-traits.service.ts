import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../../../platform/audit/audit-log';
import { AuditedWrites } from '../../../platform/audit/audited-writes';
import type { Actor } from '../../../platform/auth/principal';
import { Config } from '../../../platform/config/config';
import { Database, type Tx } from '../../../platform/database/database';
import { failureOf } from '../../../platform/database/failure';
import type { PageQueryDto } from '../../../platform/http/resources/page';
import { InvalidRequestError, type ProblemDetail } from '../../../platform/http/problems/problem';
import { demandVersion, type ExpectedVersions } from '../../../platform/http/resources/version';
import { sameJson } from '../../../events/same-json';
import type { JsonObject } from '../../../events/customer-event';
import { changeRevision } from '../../definitions/revision';
import { segmentsThatName } from '../../definitions/segments-that-name';
import { parseBoundedDefinition } from '../../rules/parsing/parse-bounded-definition';
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
  private readonly writes: AuditedWrites<ComputedTrait, 'computed_trait'>;

  constructor(
    private readonly traits: ComputedTraitRepository,
    private readonly config: Config,
    private readonly database: Database,
    private readonly destinationNames: DestinationNames,
    audit: AuditLog,
  ) {
    this.writes = new AuditedWrites(audit, {
      resource: 'computed_trait',
      most: MAX_COMPUTED_TRAITS,
      TooMany: TooManyComputedTraitsError,
      NotFound: ComputedTraitNotFoundError,
      shown: shownOf,
      mayRepeatNames: false,
    });
  }

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
    return this.change((entities, tx) => this.writes.create(trait, { entities, tx, actor }));
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
    const work: Change<ComputedTrait> = async (entities, tx) => {
      // First: nobody is to mend what is wrong, and then hear that it cannot be changed.
      if (changed.length > 0) await this.demandUnused(asked, tx, changed);
      if (isGiven) this.checked(definition);
      Object.assign(trait, { name, description, definition });
      return this.writes.update(trait, before, { entities, tx, actor });
    };
    return this.change(work, isRedefined ? (tx) => discardKept(id, tx) : undefined);
  }

  /** @throws ComputedTraitNotFoundError, VersionMismatchError, ComputedTraitInUseError, SegmentsBusyError */
  async delete(id: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const trait = await this.traits.get(id);
    demandVersion(expected, trait.version);
    await this.change(async (entities, tx) => {
      await this.demandUnused(trait, tx);
      await this.writes.delete(trait, { entities, tx, actor });
    });
  }

  /** What is wrong with what is to be counted, by the names of members. */
  check(definition: MeasureDefinition): ProblemDetail[] {
    const parsed = parseBoundedDefinition(definition, this.config.events.retentionDays);
    return parsed.ok ? [] : [...parsed.errors];
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
function shownOf({
  name,
  description,
  definition,
}: ComputedTrait): Pick<ComputedTrait, 'name' | 'description'> {
  return { name, description, ...definition };
}
