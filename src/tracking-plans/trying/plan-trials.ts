import { Injectable } from '@nestjs/common';
import { InputProblems } from '../../platform/http/input/input-problems';
import { SourcesService } from '../../sources/sources.service';
import type { InferPlanDto, InferredPlanDto } from '../api/dto/infer-plan.dto';
import type { PlanPreviewDto, PreviewPlanDto } from '../api/dto/preview-plan.dto';
import { PlanInference } from '../inference/plan-inference';
import { checkEvent } from '../language/check-event';
import { compilePlan } from '../language/compile-plan';
import { RuleCache } from '../language/compile-rule';
import { parsePlan } from '../language/parse-plan';
import type { PlanContent } from '../language/plan';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import { RecentEvents } from './recent-events';
import { ViolationKinds } from './violation-kinds';

const DEFAULT_LAST = 10_000;
/** Fewer events rather than an answer for which nobody waits. */
const MAX_READING_MS = 15_000;

/** Tries plans out on what is stored, and learns them from it. Nothing is written. */
@Injectable()
export class PlanTrials {
  constructor(
    private readonly plans: TrackingPlanRepository,
    private readonly sources: SourcesService,
    private readonly recent: RecentEvents,
  ) {}

  /**
   * What a plan would have said of the newest events of a source.
   * @throws InvalidRequestError for a plan that is not valid, SourceNotFoundError, TrackingPlanNotFoundError
   */
  async preview({ sourceId, last = DEFAULT_LAST, ...given }: PreviewPlanDto): Promise<PlanPreviewDto> {
    await this.sources.demand(sourceId);
    const rules = new RuleCache();
    const plan = compilePlan(await this.contentOf(given, rules), rules);
    const outcomes = { pass: 0, observe: 0, omit: 0, quarantine: 0, block: 0 };
    const kinds = new ViolationKinds();
    const { events, complete } = await this.lookBack({ sourceId, last }, ({ event, stored }) => {
      const verdict = checkEvent(plan, event);
      outcomes[verdict.outcome] += 1;
      kinds.count(verdict, stored);
    });
    return { events, complete, outcomes, violations: kinds.all };
  }

  /** A plan that the newest events of a source pass. @throws SourceNotFoundError */
  async infer({ sourceId, last = DEFAULT_LAST }: InferPlanDto): Promise<InferredPlanDto> {
    await this.sources.demand(sourceId);
    const inference = new PlanInference();
    const looked = await this.lookBack({ sourceId, last }, ({ event }) => inference.observe(event));
    const { rules, ...unplanned } = await inference.toPlan();
    return { ...looked, plan: { rules: [...rules], ...unplanned } };
  }

  private async lookBack(
    query: { readonly sourceId: string; readonly last: number },
    look: Parameters<RecentEvents['forEach']>[1],
  ): Promise<{ events: number; complete: boolean }> {
    let events = 0;
    const untilMs = performance.now() + MAX_READING_MS;
    const complete = await this.recent.forEach({ ...query, untilMs }, (event) => {
      look(event);
      events += 1;
    });
    return { events, complete };
  }

  private async contentOf(
    { plan, planId }: Pick<PreviewPlanDto, 'plan' | 'planId'>,
    rules: RuleCache,
  ): Promise<PlanContent> {
    const problems = new InputProblems();
    if (planId !== undefined && plan === undefined) return this.plans.get(planId);
    if (plan === undefined || planId !== undefined) {
      problems.fail('plan', 'invalid_plan', 'Give either a plan or the planId of one.');
      problems.refuse();
    }
    problems.onlyMembers(plan ?? {}, PLAN_MEMBERS, 'plan', 'unknown_member');
    const parsed = await parsePlan(plan ?? {}, rules);
    if (!parsed.ok) problems.failAll(parsed.errors, 'plan');
    problems.refuse();
    return parsed.ok ? parsed.content : EMPTY;
  }
}

/** A plan may be given as it is answered, or as it stands in a document. */
const PLAN_MEMBERS =
  'rules unplannedEvents unplannedProperties name description id version createdAt updatedAt'.split(' ');
const EMPTY: PlanContent = { rules: [], unplannedEvents: 'allow', unplannedProperties: 'allow' };
