import type { InputProblems } from '../platform/http/input/input-problems';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import type { TrackingPlanDto } from '../tracking-plans/api/dto/tracking-plan.dto';
import { parsePlan } from '../tracking-plans/language/parse-plan';
import { completeTrackingPlan } from './complete-entry';
import { byName, type Configuration } from './configuration-reader';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { trackingPlanEntry } from './export-document';
import { fieldChanges } from './field-changes';
import { changeTo, type PlannedChange } from './planned-change';

/** Compares the tracking plans of a document with those that are there, and notes what is wrong with them. */
export async function planTrackingPlans(
  { trackingPlans = [] }: ConfigDocumentDto,
  configuration: Configuration,
  problems: InputProblems,
): Promise<PlannedChange[]> {
  const changes: (PlannedChange | undefined)[] = [];
  const presentOf = byName(configuration.trackingPlans);
  for (const [index, given] of trackingPlans.entries()) {
    const parsed = await parsePlan(given);
    if (parsed.ok) changes.push(compare(completeTrackingPlan(given, parsed.content.rules), presentOf));
    else problems.failAll(parsed.errors, `trackingPlans[${index}]`);
  }
  return changes.filter((change) => change !== undefined);
}

function compare(
  trackingPlan: Required<CreateTrackingPlanDto>,
  presentOf: ReadonlyMap<string, TrackingPlanDto>,
): PlannedChange | undefined {
  const { name } = trackingPlan;
  const change = { name, desired: { kind: 'trackingPlan', trackingPlan } } as const;
  return changeTo(change, presentOf.get(name), (present) =>
    fieldChanges(trackingPlanEntry(present), trackingPlanEntry(trackingPlan)),
  );
}
