import type { InputProblems } from '../platform/http/input/input-problems';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import { parsePlan } from '../tracking-plans/language/parse-plan';
import { completeTrackingPlan } from './complete-entry';
import type { Configuration } from './configuration-reader';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { trackingPlanEntry } from './export-document';
import { fieldChanges } from './field-changes';
import type { PlannedChange } from './planned-change';

/** Compares the tracking plans of a document with those that are there, and notes what is wrong with them. */
export async function planTrackingPlans(
  { trackingPlans = [] }: ConfigDocumentDto,
  configuration: Configuration,
  problems: InputProblems,
): Promise<PlannedChange[]> {
  const changes: PlannedChange[] = [];
  for (const [index, given] of trackingPlans.entries()) {
    const parsed = await parsePlan(given);
    if (parsed.ok) changes.push(...compare(completeTrackingPlan(given, parsed.content.rules), configuration));
    else problems.failAll(parsed.errors, `trackingPlans[${index}]`);
  }
  return changes;
}

function compare(
  trackingPlan: Required<CreateTrackingPlanDto>,
  configuration: Configuration,
): PlannedChange[] {
  const { name } = trackingPlan;
  const desired = { kind: 'trackingPlan', trackingPlan } as const;
  const present = configuration.trackingPlans.find((one) => one.name === name);
  if (present === undefined) return [{ action: 'create', name, desired }];
  const fields = fieldChanges(trackingPlanEntry(present), trackingPlanEntry(trackingPlan));
  if (fields.length === 0) return [];
  return [{ action: 'update', name, desired, present: { id: present.id, version: present.version }, fields }];
}
