import { Injectable } from '@nestjs/common';
import { InputProblems } from '../platform/http/input/input-problems';
import { checkDeletions } from './check-deletions';
import { checkLengths, checkLimits } from './check-limits';
import { ComputedTraitPlanner, traitsAfter } from './computed-trait-planner';
import { type Configuration, ConfigurationReader, versionOf } from './configuration-reader';
import { demandUnambiguous, type Lists, repeatsIn } from './demand-unambiguous';
import { DestinationPlanner } from './destination-planner';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { RESOURCE_KINDS } from './dto/config-result.dto';
import { nameUses } from './name-uses';
import { listOf, type Plan, type PlannedChange, type PresentVersion } from './planned-change';
import { knownNames } from './destination-references';
import { failUnresolved, referencesIn } from './secret-reference';
import { checkRules, SegmentPlanner } from './segment-planner';
import { checkCircles, orderByReferences, segmentsAfter } from './segment-references';
import { checkNamesInSources, SourcePlanner } from './source-planner';
import { planTrackingPlans } from './tracking-plan-planner';
import { TransformationPlanner } from './transformation-planner';

/** Compares a document with what is configured. Changes nothing. */
@Injectable()
export class ConfigurationPlanner {
  constructor(
    private readonly reader: ConfigurationReader,
    private readonly transformations: TransformationPlanner,
    private readonly sources: SourcePlanner,
    private readonly computedTraits: ComputedTraitPlanner,
    private readonly segments: SegmentPlanner,
    private readonly destinations: DestinationPlanner,
  ) {}

  /** @throws InvalidRequestError with paths into the document, AmbiguousNameError */
  async plan(document: ConfigDocumentDto, prune: boolean): Promise<Plan> {
    const problems = new InputProblems();
    checkLengths(document, problems);
    problems.refuse();
    const configuration = await this.reader.read();
    demandUnambiguous(document, configuration, nameUses(document));
    const names = knownNames(document, configuration, prune);
    checkDuplicates(document, problems);
    checkReferences(document, configuration, problems);
    const trackingPlans = await planTrackingPlans(document, configuration, problems);
    const transformations = await this.transformations.plan(document, configuration, problems);
    const computedTraits = this.computedTraits.plan(document, configuration, problems);
    checkNamesInSources(document, names, problems);
    const traits = traitsAfter(document, configuration, prune);
    checkRules(document.segments ?? [], names.segments, traits, problems);
    checkCircles(document, configuration, problems);
    if (prune) checkDeletions(document, configuration, problems);
    // Where a computed trait is wrong, so would be what its segments look at.
    const segments =
      problems.errors.length > 0 ? [] : await this.segments.plan(document, configuration, traits, problems);
    const ids = {
      trackingPlan: idsOf(configuration.trackingPlans),
      transformation: idsOf(configuration.transformations),
      source: idsOf(configuration.sources),
      segment: idsOf(configuration.segments),
    };
    const sources = await this.sources.plan(document, configuration, problems);
    const destinations = await this.destinations.plan(document, configuration, { ids, prune }, problems);
    const changes = [
      ...trackingPlans,
      ...transformations,
      ...sources,
      ...computedTraits,
      ...segments,
      ...destinations,
      ...(prune ? deletions(document, configuration) : []),
    ];
    checkLimits(changes, configuration, problems);
    problems.refuse();
    return { version: versionOf(configuration), ids, traits, changes };
  }
}

/** What uses a resource is deleted before it. */
function deletions(lists: Lists, configuration: Configuration): PlannedChange[] {
  const { order } = orderByReferences(segmentsAfter({ version: 1 }, configuration));
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  const rankOf = ({ id }: PresentVersion): number => ranks.get(id) ?? 0;
  const segments = configuration.segments.toSorted((a, b) => rankOf(b) - rankOf(a));
  const present = { ...configuration, segments };
  return RESOURCE_KINDS.toReversed().flatMap((kind) => {
    const kept = lists[listOf(kind)]?.map(({ name }) => name);
    if (kept === undefined) return [];
    const gone = present[listOf(kind)].filter(({ name }) => !kept.includes(name));
    return gone.map((resource) => ({
      action: 'delete' as const,
      kind,
      name: resource.name,
      present: presentIn(resource),
    }));
  });
}

function presentIn({ id, version }: PresentVersion): PresentVersion {
  return { id, version };
}

function idsOf(resources: readonly { readonly id: string; readonly name: string }[]): Map<string, string> {
  return new Map(resources.map(({ id, name }) => [name, id]));
}

function checkDuplicates(lists: Lists, problems: InputProblems): void {
  for (const kind of RESOURCE_KINDS) {
    for (const { index, name } of repeatsIn(lists[listOf(kind)] ?? [])) {
      const message = `there is another ${kind} "${name}" in the document`;
      problems.fail(`${listOf(kind)}[${index}].name`, 'duplicate_name', message);
    }
  }
}

/**
 * References are resolved before a document is sent; those of secrets are looked at where sources and destinations are.
 */
function checkReferences(
  { trackingPlans, transformations, computedTraits, segments, destinations = [] }: ConfigDocumentDto,
  configuration: Configuration,
  problems: InputProblems,
): void {
  const elsewhere = destinations.map(({ name, type, sources: names, filter }) => ({
    name,
    type,
    sources: names,
    filter,
  }));
  failUnresolved(referencesIn(trackingPlans, 'trackingPlans'), problems);
  // Code that stays as it is may have it as a text of its own.
  const codes = new Map(configuration.transformations.map(({ name, code }) => [name, code]));
  const changed = transformations?.map(({ name, code }) => ({
    name,
    code: codes.get(name) === code ? '' : code,
  }));
  failUnresolved(referencesIn(changed, 'transformations'), problems);
  failUnresolved(referencesIn(computedTraits, 'computedTraits'), problems);
  failUnresolved(referencesIn(segments, 'segments'), problems);
  failUnresolved(referencesIn(elsewhere, 'destinations'), problems);
}
