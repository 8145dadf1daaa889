import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
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
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { demandVersion, type ExpectedVersions } from '../../platform/http/resources/version';
import { sourcesWithPlan } from '../../sources/sources-with-plan';
import { PlansInForce } from '../judging/plans-in-force';
import { type GivenPlan, parsePlan } from '../language/parse-plan';
import type { PlanContent } from '../language/plan';
import type { VersionEntry } from '../../platform/database/resources/versions';
import { listVersions, type PlanVersion, readVersion, writeVersion } from '../plan-versions';
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
const VERSION = /^\d{1,9}$/;

/** Keeps the tracking plans that an operator defines. */
@Injectable()
export class TrackingPlansService {
  constructor(
    private readonly plans: TrackingPlanRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly inForce: PlansInForce,
  ) {}

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
    return listVersions(planId, this.database);
  }

  /** @throws TrackingPlanNotFoundError, TrackingPlanVersionNotFoundError */
  async findVersion(planId: string, version: string): Promise<PlanVersion> {
    await this.plans.demand(planId);
    const found = VERSION.test(version)
      ? await readVersion(planId, Number(version), this.database)
      : undefined;
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
    return this.change(async (plans, tx) => {
      if (!allowDuplicate) await demandFreeName(plans, plan);
      if ((await plans.count()) >= MAX_PLANS) throw new TooManyTrackingPlansError(MAX_PLANS);
      const created = await plans.save(plan);
      await this.writeDown(created, { tx, actor, action: 'create' });
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
    return this.change(async (plans, tx) => {
      if (name !== before.name && !allowDuplicate) await demandFreeName(plans, plan);
      const changed = await saveNextVersion(plans, plan, new TrackingPlanNotFoundError(planId));
      if (changed.version === plan.version) return changed;
      await this.writeDown(changed, { tx, actor, action: 'update', before });
      return changed;
    });
  }

  /** @throws TrackingPlanNotFoundError, VersionMismatchError, TrackingPlanInUseError */
  async delete(planId: string, actor: Actor, expected?: ExpectedVersions): Promise<void> {
    const plan = await this.plans.get(planId);
    demandVersion(expected, plan.version);
    try {
      await this.change(async (plans, tx) => {
        await deleteVersion(plans, plan, new TrackingPlanNotFoundError(planId));
        const before = definitionOf(plan);
        await this.audit.record(tx, actor, {
          action: 'delete',
          resource: 'tracking_plan',
          resourceId: planId,
          before,
        });
      });
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

  private async writeDown(
    plan: TrackingPlan,
    {
      tx,
      actor,
      action,
      before,
    }: { tx: Tx; actor: Actor; action: AuditedAction<'tracking_plan'>; before?: Definition },
  ): Promise<void> {
    const after = definitionOf(plan);
    await writeVersion(plan.id, plan.version, after, tx);
    await this.audit.record(tx, actor, {
      action,
      resource: 'tracking_plan',
      resourceId: plan.id,
      before,
      after,
    });
  }
}

interface Definition extends PlanContent {
  readonly name: string;
  readonly description: string;
}

/** What an operator sets of a plan. */
function definitionOf(plan: TrackingPlan): Definition {
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
