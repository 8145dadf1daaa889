import { TooManyDestinationsError } from '../destinations/destination-problems';
import { TooManyComputedTraitsError } from '../segments/computed-traits/computed-trait-problems';
import { TooManySegmentsError } from '../segments/segment-problems';
import { TooManySourcesError } from '../sources/source-problems';
import { TooManyTrackingPlansError } from '../tracking-plans/tracking-plan-problems';
import { TooManyTransformationsError } from '../transformations/transformation-problems';
import { MAX_DESTINATIONS } from '../destinations/destinations.service';
import type { InputProblems } from '../platform/http/input/input-problems';
import { MAX_SEGMENTS } from '../segments/api/segments.service';
import { MAX_COMPUTED_TRAITS } from '../segments/computed-traits/api/computed-traits.service';
import { MAX_SOURCES } from '../sources/sources.service';
import { MAX_PLANS } from '../tracking-plans/api/tracking-plans.service';
import { MAX_TRANSFORMATIONS } from '../transformations/api/transformations.service';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { RESOURCE_KINDS, type ResourceKind } from './dto/config-result.dto';
import { kindOf, type ListName, listOf, type PlannedChange } from './planned-change';

/** How many there may be, and the code of one too many. */
const LIMITS: Readonly<Record<ResourceKind, readonly [most: number, code: string]>> = {
  trackingPlan: [MAX_PLANS, TooManyTrackingPlansError.code],
  transformation: [MAX_TRANSFORMATIONS, TooManyTransformationsError.code],
  source: [MAX_SOURCES, TooManySourcesError.code],
  computedTrait: [MAX_COMPUTED_TRAITS, TooManyComputedTraitsError.code],
  segment: [MAX_SEGMENTS, TooManySegmentsError.code],
  destination: [MAX_DESTINATIONS, TooManyDestinationsError.code],
};

/** Notes of which kind a document alone has too many: to plan them costs more than to read them. */
export function checkLengths(document: ConfigDocumentDto, problems: InputProblems): void {
  for (const kind of RESOURCE_KINDS) {
    const [most, code] = LIMITS[kind];
    const { length } = document[listOf(kind)] ?? [];
    if (length > most) problems.fail(listOf(kind), code, `There may be ${most}: the document has ${length}.`);
  }
}

/**
 * Notes of which kind there would be too many. What is deleted counts, because it is deleted last.
 * @param present what there is
 */
export function checkLimits(
  changes: readonly PlannedChange[],
  present: Readonly<Record<ListName, readonly unknown[]>>,
  problems: InputProblems,
): void {
  for (const kind of RESOURCE_KINDS) {
    const [most, code] = LIMITS[kind];
    const created = changes.filter((change) => change.action === 'create' && kindOf(change) === kind).length;
    if (created === 0 || present[listOf(kind)].length + created <= most) continue;
    const there = `${present[listOf(kind)].length} are there and ${created} would be made`;
    problems.fail(listOf(kind), code, `There may be ${most}: ${there}, before anything is deleted.`);
  }
}
