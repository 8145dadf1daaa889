import { Injectable, Logger } from '@nestjs/common';
import { LiveCopy } from '../../platform/background/live-copy';
import { Lookout } from '../../platform/background/lookout';
import { Database } from '../../platform/database/database';
import { type CompiledPlan, compilePlan } from '../language/compile-plan';
import { RuleCache } from '../language/compile-rule';
import { planVersions } from '../plan-versions';

/** A version of a plan, ready to judge events. */
export interface PlanInForce {
  readonly id: string;
  readonly version: number;
  readonly plan: CompiledPlan;
}

interface VersionRow {
  readonly id: string;
  readonly version: number;
}

type Versions = ReadonlyMap<string, number>;

/**
 * The tracking plans in memory, as of their newest versions. All numbers of versions are in a live copy; what a plan
 * says is read when its first event comes, for no version changes. A rule is compiled by the first event that it is
 * for, and stays compiled as long as a plan has it: a change of one rule compiles one.
 */
@Injectable()
export class PlansInForce {
  private readonly logger = new Logger(PlansInForce.name);
  private readonly copy: LiveCopy<VersionRow, Versions>;
  private readonly plans = new Map<string, PlanInForce>();
  private readonly loading = new Map<string, Promise<PlanInForce | undefined>>();
  private readonly rules = new RuleCache();

  constructor(
    private readonly database: Database,
    lookout: Lookout,
  ) {
    const original = {
      name: 'tracking_plans',
      versionSql: 'select version from tracking_plan_change',
      rowsSql: 'select id, version from tracking_plan',
      build: (rows: readonly VersionRow[]) => this.versionsOf(rows),
    };
    this.copy = new LiveCopy(original, database);
    this.copy.follow(lookout, (error) => this.logger.debug(`Plans could not be read: ${String(error)}`));
  }

  /**
   * The newest version of a plan that this process knows: within about a second of a change. Undefined once the plan is
   * deleted, which it can be only when no source has it any more.
   * @throws the error of the driver when PostgreSQL is away and the plan is not known.
   */
  async find(planId: string): Promise<PlanInForce | undefined> {
    const version = this.copy.value.get(planId) ?? (await this.copy.refresh()).get(planId);
    if (version === undefined) return undefined;
    const known = this.plans.get(planId);
    return known?.version === version ? known : this.load(planId, version);
  }

  /** After a change, so that it holds at once in this process. */
  async refresh(): Promise<void> {
    // May stop here: the change is made, and the look of every second follows.
    await this.copy.refresh().catch((error: unknown) => this.logger.debug(String(error)));
  }

  private versionsOf(rows: readonly VersionRow[]): Versions {
    // A version above the newest is of a change that PostgreSQL has lost: the next one of that number says other
    // things.
    for (const { id, version } of rows)
      if ((this.plans.get(id)?.version ?? 0) > version) this.plans.delete(id);
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** Requests that ask for the same at the same time ask once. */
  private load(planId: string, version: number): Promise<PlanInForce | undefined> {
    const key = `${planId} ${version}`;
    let load = this.loading.get(key);
    if (load === undefined) {
      load = this.read(planId, version).finally(() => this.loading.delete(key));
      this.loading.set(key, load);
    }
    return load;
  }

  private async read(planId: string, version: number): Promise<PlanInForce | undefined> {
    const found = await planVersions.find(planId, version, this.database);
    if (found === undefined) return this.readNewer(planId, version);
    const loaded = { id: planId, version, plan: compilePlan(found.content, this.rules) };
    if ((this.plans.get(planId)?.version ?? 0) < version) this.plans.set(planId, loaded);
    this.forgetOld();
    return loaded;
  }

  /** There is no such version any more: the plan was changed very often since, or is deleted. */
  private async readNewer(planId: string, than: number): Promise<PlanInForce | undefined> {
    const newest = (await this.copy.refresh()).get(planId);
    return newest === undefined || newest <= than ? undefined : this.read(planId, newest);
  }

  private forgetOld(): void {
    for (const planId of this.plans.keys()) if (!this.copy.value.has(planId)) this.plans.delete(planId);
    this.rules.keepOnly(new Set([...this.plans.values()].flatMap(({ plan }) => [...plan.keys])));
  }
}
