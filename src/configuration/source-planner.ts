import type { InputProblems } from '../platform/http/input-problems';
import type { CreateSourceDto } from '../sources/dto/create-source.dto';
import { completeSource } from './complete-entry';
import type { Configuration } from './configuration-reader';
import type { ConfigDocumentDto, ConfigSourceDto } from './dto/config-document.dto';
import { namesOf, sourceEntry, withPlanName } from './export-document';
import { fieldChanges } from './field-changes';
import type { Plan, PlannedChange } from './planned-change';

/** Compares the sources of a document with those that are there. */
export function planSources(
  { sources = [] }: ConfigDocumentDto,
  configuration: Configuration,
): PlannedChange[] {
  const names = namesOf(configuration);
  return sources.flatMap((given): PlannedChange[] => {
    const source = completeSource(given);
    const desired = { kind: 'source', source } as const;
    const present = configuration.sources.find(({ name }) => name === source.name);
    if (present === undefined) return [{ action: 'create', name: source.name, desired }];
    const fields = fieldChanges(sourceEntry(withPlanName(present, names)), sourceEntry(source));
    if (fields.length === 0) return [];
    const { id, version } = present;
    return [{ action: 'update', name: source.name, desired, present: { id, version }, fields }];
  });
}

/** The plans that sources name are to be there. */
export function checkPlanNames(
  { sources = [] }: ConfigDocumentDto,
  known: ReadonlySet<string>,
  problems: InputProblems,
): void {
  for (const [index, { trackingPlan }] of sources.entries()) {
    if (trackingPlan === undefined || trackingPlan === null || known.has(trackingPlan)) continue;
    const message = `There is no tracking plan "${trackingPlan}", here or in the document.`;
    problems.fail(`sources[${index}].trackingPlan`, 'unknown_tracking_plan', message);
  }
}

/** As the Management API takes it. */
export function toSourceDto(
  { trackingPlan, ...source }: Required<ConfigSourceDto>,
  ids: Plan['ids'],
): Required<CreateSourceDto> {
  return {
    ...source,
    trackingPlanId: trackingPlan === null ? null : (ids.trackingPlan.get(trackingPlan) ?? null),
  };
}
