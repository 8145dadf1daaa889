import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog, type Change } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { demandFreeName } from '../../platform/database/resources/demand-free-name';
import { failureOf } from '../../platform/database/failure';
import type { PageQueryDto } from '../../platform/http/resources/page';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import type { ChangeOptions } from '../../platform/http/resources/names';
import { demandVersion, type ExpectedVersions } from '../../platform/http/resources/version';
import type { CreateSegmentDto } from './dto/create-segment.dto';
import { SegmentDto } from './dto/segment.dto';
import type { UpdateSegmentDto } from './dto/update-segment.dto';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { changeRevision, limitLockWaits } from '../definitions/revision';
import { sameJson } from '../../events/same-json';
import type { NamedMeasures } from '../rules/named-measures';
import type { Predicate } from '../rules/predicate';
import type { RuleNode } from '../rules/rule';
import type { Match } from '../../language/operators';
import { checkWindows } from '../rules/parsing/check-windows';
import { parseRules } from '../rules/parsing/parse-rules';
import { SegmentFigures } from '../reading/segment-figures';
import { SegmentNotFoundError, SegmentsBusyError, TooManySegmentsError } from '../segment-problems';
import { checkMeasures, findExcess, type PlannedRules } from '../definitions/measure-limit';
import { checkReferences } from '../definitions/segment-references';
import { addDiscards, addStart, dropAllTasks, dropComputation } from '../computing/segment-tasks';
import { SegmentUpkeep } from '../computing/segment-upkeep';
import { Segment } from '../segment.entity';
import { SegmentRepository } from '../segment.repository';

const nextGenerationSql = `select nextval('segment_generation_seq')::integer as generation`;

/** Each is looked at for every profile that changes. */
export const MAX_SEGMENTS = 2_000;
/** A small population is computed before the answer, a large one goes on in the background. */
const COMPUTE_BEFORE_ANSWER_MS = 500;

/** Keeps the segments that an operator defines. */
@Injectable()
export class SegmentsService {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly database: Database,
    private readonly figures: SegmentFigures,
    private readonly upkeep: SegmentUpkeep,
    private readonly audit: AuditLog,
    private readonly config: Config,
  ) {}

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  async findAll(page?: PageQueryDto): Promise<SegmentDto[]> {
    const segments = await this.segments.findPage(page);
    const figures = await this.figures.of(segments);
    return segments.map((segment) => SegmentDto.from(segment, figures(segment)));
  }

  /** @throws SegmentNotFoundError */
  async findOne(segmentId: string): Promise<SegmentDto> {
    const segment = await this.segments.get(segmentId);
    return SegmentDto.from(segment, (await this.figures.of([segment]))(segment));
  }

  /** The first of what is planned, in this order, that would be refused with TooManyMeasuresError. */
  findExcess(planned: readonly PlannedRules[]): Promise<PlannedRules | undefined> {
    return findExcess(planned, this.database);
  }

  /**
   * @throws InvalidRequestError for rules that are not valid, NameTakenError, TooManySegmentsError,
   *   TooManyMeasuresError, SegmentsBusyError
   */
  async create(
    given: CreateSegmentDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<SegmentDto> {
    const { name, description, rules, match, announceFirst } = given;
    const definition = { rules: rules as RuleNode[], match: match ?? 'all' };
    predicateOf(definition, await readNamedMeasures(this.database));
    const id = uuidv7();
    await this.change(async (segments, tx) => {
      const segment = Object.assign(new Segment(), {
        id,
        name,
        description: description ?? '',
        ...definition,
        generation: await nextGeneration(tx),
        liveGeneration: null,
        state: 'computing' as const,
        announceFirst: announceFirst ?? false,
        version: 1,
      });
      if (!allowDuplicate) await demandFreeName(segments, segment);
      await changeRevision(tx);
      await this.checkRules(id, definition, tx);
      if ((await segments.count()) >= MAX_SEGMENTS) throw new TooManySegmentsError(MAX_SEGMENTS);
      await segments.save(segment);
      await addStart(segment, tx);
      await this.audit.record(tx, actor, changeOf('create', id, undefined, definitionOf(segment)));
    });
    await this.upkeep.computeNow(id, COMPUTE_BEFORE_ANSWER_MS);
    return this.findOne(id);
  }

  /**
   * Changes the members that are given. Other rules are computed anew; until then the members stay as they are.
   * @throws SegmentNotFoundError, VersionMismatchError, InvalidRequestError, NameTakenError,
   *   TooManyMeasuresError, SegmentsBusyError
   */
  async update(
    segmentId: string,
    changes: UpdateSegmentDto,
    actor: Actor,
    { expected, allowDuplicate = false }: ChangeOptions = {},
  ): Promise<SegmentDto> {
    const recomputed = await this.change(async (segments, tx) => {
      const segment = await lockSegment(segmentId, segments);
      demandVersion(expected, segment.version);
      const before = definitionOf(segment);
      const definition = {
        rules: (changes.rules as RuleNode[] | undefined) ?? segment.rules,
        match: changes.match ?? segment.match,
      };
      predicateOf(definition, await readNamedMeasures(tx));
      const isRenamed = (changes.name ?? segment.name) !== segment.name;
      segment.name = changes.name ?? segment.name;
      if (isRenamed && !allowDuplicate) await demandFreeName(segments, segment);
      segment.description = changes.description ?? segment.description;
      segment.announceFirst = changes.announceFirst ?? segment.announceFirst;
      // PostgreSQL keeps the keys of an object in an order of its own.
      const same = definition.match === segment.match && sameJson(definition.rules, segment.rules);
      const recompute = !same || segment.state === 'failed';
      if (!recompute && isDeepStrictEqual(definitionOf(segment), before)) return false;
      segment.version += 1;
      if (recompute) await this.redefine(segment, definition, tx);
      else await changeRevision(tx); // The name is part of what processors know.
      await segments.save(segment);
      await this.audit.record(tx, actor, changeOf('update', segment.id, before, definitionOf(segment)));
      return recompute;
    });
    if (recomputed) await this.upkeep.computeNow(segmentId, COMPUTE_BEFORE_ANSWER_MS);
    return this.findOne(segmentId);
  }

  /** @throws SegmentNotFoundError, VersionMismatchError, SegmentInUseError, SegmentsBusyError */
  async delete(segmentId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    await this.change(async (segments, tx) => {
      const segment = await lockSegment(segmentId, segments);
      demandVersion(expected, segment.version);
      await this.audit.record(tx, actor, changeOf('delete', segment.id, definitionOf(segment), undefined));
      await dropAllTasks(segmentId, tx);
      await changeRevision(tx);
      await this.segments.demandUnused(segment, tx);
      await segments.remove(segment);
      if (segment.liveGeneration !== null) await addDiscards(segmentId, [segment.liveGeneration], tx);
    });
  }

  /**
   * Runs a change in a transaction that does not wait long for a lock: a change that waits for evaluations of segments
   * keeps others from beginning to.
   */
  private async change<T>(work: (segments: Repository<Segment>, tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.segments.change(async (segments, tx) => {
        await limitLockWaits(tx);
        return work(segments, tx);
      });
    } catch (error) {
      throw failureOf(error) === 'lock_timeout' ? new SegmentsBusyError() : error;
    }
  }

  private async redefine(segment: Segment, definition: Definition, tx: Tx): Promise<void> {
    await dropComputation(segment.id, tx);
    if (segment.liveGeneration === segment.generation) {
      segment.liveMatch = segment.match;
      segment.liveRules = segment.rules;
    }
    Object.assign(segment, definition);
    segment.generation = await nextGeneration(tx);
    segment.state = 'computing';
    segment.failure = null;
    await changeRevision(tx);
    await this.checkRules(segment.id, definition, tx);
    await addStart(segment, tx);
  }

  /** With the lock of all definitions held: what the rules ask about does not change any more. */
  private async checkRules(segmentId: string, definition: Definition, tx: Tx): Promise<void> {
    const predicate = predicateOf(definition, await readNamedMeasures(tx));
    checkWindows(predicate, this.config.events.retentionDays);
    await checkReferences(segmentId, predicate, tx);
    await checkMeasures(segmentId, predicate, tx);
  }
}

interface Definition {
  readonly rules: RuleNode[];
  readonly match: Match;
}

/** What an operator sets of a segment, for the audit. */
function definitionOf(segment: Segment): Record<keyof CreateSegmentDto, unknown> {
  const { name, description, match, rules, announceFirst } = segment;
  return { name, description, match, rules, announceFirst };
}

function changeOf(
  action: AuditedAction<'segment'>,
  segmentId: string,
  before?: object,
  after?: object,
): Change {
  return { action, resource: 'segment', resourceId: segmentId, before, after };
}

/** @throws InvalidRequestError for rules that are not valid */
function predicateOf({ rules, match }: Definition, traits: NamedMeasures): Predicate {
  const parsed = parseRules(rules, match, traits);
  if (!parsed.ok) throw new InvalidRequestError(parsed.errors);
  return parsed.predicate;
}

async function lockSegment(segmentId: string, segments: Repository<Segment>): Promise<Segment> {
  const segment = isUUID(segmentId)
    ? await segments.findOne({ where: { id: segmentId }, lock: { mode: 'pessimistic_write' } })
    : null;
  if (segment === null) throw new SegmentNotFoundError(segmentId);
  return segment;
}

async function nextGeneration(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ generation: number }>(nextGenerationSql);
  return row?.generation ?? 0;
}
