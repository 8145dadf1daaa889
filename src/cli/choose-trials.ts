import { BootError } from '../platform/boot/boot-error';
import type { ConfigResult, SourceSummary, TrackingPlanSummary } from './management-client';

/** A tracking plan as a file has it; the service says what is wrong with it. */
export interface GivenPlanDocument {
  readonly name?: unknown;
  readonly rules?: unknown;
}

/** A plan that is to be tried on the events of a source. */
export interface PlanTrial {
  readonly plan: GivenPlanDocument;
  readonly source: SourceSummary;
}

/** What the service has. */
export interface PresentPlans {
  readonly sources: readonly SourceSummary[];
  readonly trackingPlans: readonly TrackingPlanSummary[];
}

/** What was asked for on the command line, by name or id. */
export interface Asked {
  readonly plan?: string;
  readonly source?: string;
}

/** A file that holds one plan, as the API answers it, and no document of the configuration: that one has no rules. */
export function isPlanAlone(document: unknown): document is GivenPlanDocument {
  return typeof document === 'object' && document !== null && 'rules' in document;
}

/**
 * The plan of a file that holds one alone, on the source that was asked for, or on those that have a plan of its name.
 */
export function trialsOfPlan(plan: GivenPlanDocument, present: PresentPlans, asked: Asked): PlanTrial[] {
  if (asked.source !== undefined) return [{ plan, source: findSource(asked.source, present.sources) }];
  const id = present.trackingPlans.find(({ name }) => name === plan.name)?.id;
  const sources = present.sources.filter(({ trackingPlanId }) => id !== undefined && trackingPlanId === id);
  return trialsOn(sources, plan);
}

/**
 * The plans of a document that are to be tried: those that change, or that a source gets, on the events of the sources
 * that are to have them; or just what was asked for.
 */
export function trialsOfDocument(
  document: unknown,
  { changes }: ConfigResult,
  present: PresentPlans,
  asked: Asked,
): PlanTrial[] {
  const { trackingPlans: plans = [], sources: entries } = document as GivenDocument;
  const planOf = plannedNames(entries, present);
  if (asked.source !== undefined) {
    const source = findSource(asked.source, present.sources);
    const planned = plans.find(({ name }) => name === planOf(source));
    return [{ plan: asked.plan === undefined && planned ? planned : findPlan(asked.plan, plans), source }];
  }
  if (asked.plan !== undefined) {
    const plan = findPlan(asked.plan, plans);
    return trialsOn(
      present.sources.filter((source) => planOf(source) === plan.name),
      plan,
    );
  }
  const isNew = (kind: string, name: unknown, field = ''): boolean =>
    changes.some((one) => {
      const isMeant = one.kind === kind && one.name === name && one.action !== 'delete';
      return isMeant && (field === '' || one.fields.some(({ path }) => path === field));
    });
  return present.sources.flatMap((source) => {
    const plan = plans.find(({ name }) => name === planOf(source));
    if (plan === undefined) return [];
    const isTried = isNew('trackingPlan', plan.name) || isNew('source', source.name, 'trackingPlan');
    return isTried ? [{ plan, source }] : [];
  });
}

/** The names of the plans of a document that no source has or is to have, so that they hold no event to anything. */
export function unusedPlans(document: unknown, { changes }: ConfigResult, present: PresentPlans): string[] {
  const { trackingPlans: plans = [], sources: entries = [] } = document as GivenDocument;
  const planOf = plannedNames(entries, present);
  const isDeleted = ({ name }: SourceSummary): boolean =>
    changes.some((one) => one.kind === 'source' && one.action === 'delete' && one.name === name);
  const used = new Set([
    ...entries.map(({ trackingPlan }) => trackingPlan),
    ...present.sources.filter((source) => !isDeleted(source)).map(planOf),
  ]);
  return plans.flatMap(({ name }) => (typeof name === 'string' && !used.has(name) ? [name] : []));
}

/** @throws BootError without sources: what was asked for would not be tried, and CI would take that for a success */
function trialsOn(sources: readonly SourceSummary[], plan: GivenPlanDocument): PlanTrial[] {
  if (sources.length > 0) return sources.map((source) => ({ plan, source }));
  throw new BootError('No source has a plan of this name: say on whose events to try it, with --source.');
}

/** As far as plans matter. */
interface GivenDocument {
  readonly trackingPlans?: readonly GivenPlanDocument[];
  readonly sources?: readonly { readonly name: string; readonly trackingPlan?: string | null }[];
}

/** The name of the plan that a source is to have: what the document leaves out stays as it is. */
function plannedNames(
  entries: GivenDocument['sources'],
  { trackingPlans }: PresentPlans,
): (source: SourceSummary) => string | undefined {
  return ({ name, trackingPlanId }) => {
    const entry = entries?.find((one) => one.name === name);
    if (entry !== undefined) return entry.trackingPlan ?? undefined;
    return trackingPlans.find(({ id }) => id === trackingPlanId)?.name;
  };
}

function findSource(asked: string, sources: readonly SourceSummary[]): SourceSummary {
  const found = sources.filter(({ id, name }) => id === asked || name === asked);
  const [source] = found;
  if (source === undefined) throw new BootError(`--source: there is no source ${JSON.stringify(asked)}.`);
  if (found.length === 1) return source;
  throw new BootError(`--source: ${found.length} sources are called ${JSON.stringify(asked)}. Give an id.`);
}

/** The plan of a name, or the only one there is. @throws BootError */
export function findPlan<Plan extends { readonly name?: unknown }>(
  name: string | undefined,
  plans: readonly Plan[],
): Plan {
  const [only] = plans;
  if (name === undefined && only !== undefined && plans.length === 1) return only;
  const plan = name === undefined ? undefined : plans.find((one) => one.name === name);
  if (plan !== undefined) return plan;
  const names = plans.map((one) => JSON.stringify(one.name)).join(', ');
  throw new BootError(
    plans.length === 0
      ? '--plan: there is no tracking plan.'
      : `--plan: there are the tracking plans ${names}. Say which one.`,
  );
}
