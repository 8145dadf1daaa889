import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { AuditLog } from '../../platform/audit/audit-log';
import { AuditedWrites } from '../../platform/audit/audited-writes';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { isMissingReference } from '../../platform/database/failure';
import type { ChangeOptions } from '../../platform/http/resources/names';
import type { PageQueryDto } from '../../platform/http/resources/page';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { demandVersion, type ExpectedVersions } from '../../platform/http/resources/version';
import { sourcesWithPlan } from '../../sources/sources-with-plan';
import { PlansInForce } from '../judging/plans-in-force';
import { type GivenPlan, parsePlan } from '../language/parse-plan';
import type { PlanContent } from '../language/plan';
import type { VersionEntry } from '../../platform/database/resources/versions';
import { type PlanDefinition, type PlanVersion, planVersions } from '../plan-versions';
import {
  TooManyTrackingPlansError,
  TrackingPlanInUseError,
  TrackingPlanNotFoundError,
  TrackingPlanVersionNotFoundError,
} from '../tracking-plan-problems';
import { TrackingPlan } from '../tracking-plan.entity';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import type { CreateTrackingPlanDto } from './dto/create-tracking-plan.dto';
import type { UpdateTrackingPlanDto } from './dto/update-tracking-plan.dto';

export const MAX_PLANS = 1_000;

/** Keeps the tracking plans that an operator defines. */
@Injectable()
export class TrackingPlansService {
  private readonly writes: AuditedWrites<TrackingPlan, 'tracking_plan'>;

  constructor(
    private readonly plans: TrackingPlanRepository,
    private readonly database: Database,
    private readonly inForce: PlansInForce,
    audit: AuditLog,
  ) {
    this.writes = new AuditedWrites(audit, {
      resource: 'tracking_plan',
      most: MAX_PLANS,
      TooMany: TooManyTrackingPlansError,
      NotFound: TrackingPlanNotFoundError,
      shown: definitionOf,
    });
  }

  /** In the order of creation; one more than `limit`, so that the caller knows whether there are more. */
  findAll(page?: PageQueryDto): Promise<TrackingPlan[]> {
    return this.plans.findPage(page);
  }

  /** @throws TrackingPlanNotFoundError */
  findOne(planId: string): Promise<TrackingPlan> {
    return this.plans.get(planId);
  }

  /** Newest first. @throws TrackingPlanNotFoundError */
  async findVersions(planId: string): Promise<VersionEntry[]> {
    await this.plans.demand(planId);
    return planVersions.list(planId, this.database);
  }

  /** @throws TrackingPlanNotFoundError, TrackingPlanVersionNotFoundError */
  async findVersion(planId: string, version: string): Promise<PlanVersion> {
    await this.plans.demand(planId);
    const found = await planVersions.find(planId, version, this.database);
    if (found === undefined) throw new TrackingPlanVersionNotFoundError(version);
    return found;
  }

  /** @throws InvalidRequestError for a plan that is not valid, NameTakenError, TooManyTrackingPlansError */
  async create(
    { name, description = '', ...given }: CreateTrackingPlanDto,
    actor: Actor,
    { allowDuplicate = false }: ChangeOptions = {},
  ): Promise<TrackingPlan> {
    const content = await validPlan(given);
    const plan = Object.assign(new TrackingPlan(), {
      id: uuidv7(),
      name,
      description,
      ...content,
      version: 1,
    });
    return this.change(async (entities, tx) => {
      const created = await this.writes.create(plan, { entities, tx, actor, allowDuplicate });
      await planVersions.write(created.id, created.version, { content: definitionOf(created) }, tx);
      return created;
    });
  }

  /**
   * Changes the members that are given.
   * @throws TrackingPlanNotFoundError, VersionMismatchError, InvalidRequestError, NameTakenError
   */
  async update(
    planId: string,
    changes: UpdateTrackingPlanDto,
    actor: Actor,
    { expected, allowDuplicate = false }: ChangeOptions = {},
  ): Promise<TrackingPlan> {
    const plan = await this.plans.get(planId);
    demandVersion(expected, plan.version);
    const before = definitionOf(plan);
    const { name = plan.name, description = plan.description, ...given } = changes;
    Object.assign(plan, {
      name,
      description,
      ...(await validPlan({ ...contentOf(plan), ...givenOf(given) })),
    });
    return this.change(async (entities, tx) => {
      const changed = await this.writes.update(plan, before, { entities, tx, actor, allowDuplicate });
      if (changed.version !== plan.version)
        await planVersions.write(planId, changed.version, { content: definitionOf(changed) }, tx);
      return changed;
    });
  }

  /** @throws TrackingPlanNotFoundError, VersionMismatchError, TrackingPlanInUseError */
  async delete(planId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const plan = await this.plans.get(planId);
    demandVersion(expected, plan.version);
    try {
      await this.change((entities, tx) => this.writes.delete(plan, { entities, tx, actor }));
    } catch (error) {
      throw isMissingReference(error) ? await this.whoUses(planId) : error;
    }
  }

  /** Runs a change in a transaction, after which this process judges by it. */
  private async change<T>(work: (plans: Repository<TrackingPlan>, tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.plans.change(work);
    await this.inForce.refresh();
    return result;
  }

  private async whoUses(planId: string): Promise<TrackingPlanInUseError> {
    return new TrackingPlanInUseError(await sourcesWithPlan(planId, this.database));
  }
}

function definitionOf(plan: TrackingPlan): PlanDefinition {
  return { name: plan.name, description: plan.description, ...contentOf(plan) };
}

function contentOf({ rules, unplannedEvents, unplannedProperties }: PlanContent): PlanContent {
  return { rules, unplannedEvents, unplannedProperties };
}

/** Without the members that are left out. */
function givenOf(given: GivenPlan): GivenPlan {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function validPlan(given: GivenPlan): Promise<PlanContent> {
  const parsed = await parsePlan(given);
  if (!parsed.ok) throw new InvalidRequestError(parsed.errors);
  return parsed.content;
}
