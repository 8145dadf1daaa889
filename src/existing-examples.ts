import type { INestApplication } from '@nestjs/common';
import { DeliveryReader } from './delivery/api/delivery-reader';
import { Replays } from './delivery/replay/replays';
import { DestinationsService } from './destinations/destinations.service';
import { EventSearch } from './inspector/event-search';
import { EXAMPLE_NAMES } from './platform/openapi/example-ids';
import type { ExistingExamples } from './platform/openapi/fill-in-examples';
import { ComputedTraitsService } from './segments/computed-traits/api/computed-traits.service';
import { SegmentsService } from './segments/api/segments.service';
import { SourcesService } from './sources/sources.service';
import { TrackingPlansService } from './tracking-plans/api/tracking-plans.service';
import { TransformationsService } from './transformations/api/transformations.service';

/** Where a developer who tries the API runs a receiver; not the address of README's destination. */
const LOCAL_RECEIVER = 'http://localhost:8080/examples';

/**
 * What the examples of the OpenAPI document can name. What changes something names what the examples made; what reads
 * takes anything of its kind where they made nothing yet.
 */
export async function findExistingExamples(app: INestApplication): Promise<ExistingExamples> {
  const find = <T>(service: new (...args: never[]) => T): T => app.get<T>(service, { strict: false });
  const [
    sources,
    destinations,
    segments,
    plans,
    transformations,
    traits,
    [delivery],
    [pending],
    [dead],
    replays,
    found,
  ] = await Promise.all([
    find(SourcesService).findAll(),
    find(DestinationsService).findAll(),
    find(SegmentsService).findAll(),
    find(TrackingPlansService).findAll(),
    find(TransformationsService).findAll(),
    find(ComputedTraitsService).findAll(),
    find(DeliveryReader).find({}, 1),
    find(DeliveryReader).find({ state: 'pending' }, 1),
    find(DeliveryReader).find({ state: 'dead' }, 1),
    find(Replays).findAll(),
    find(EventSearch).find({}, 1),
  ]);
  const madeSource = named(sources, EXAMPLE_NAMES.source);
  const madeDestination = named(destinations, EXAMPLE_NAMES.destination);
  const madeSegment = named(segments, EXAMPLE_NAMES.segment);
  const madePlan = named(plans, EXAMPLE_NAMES.trackingPlan);
  const madeTransformation = named(transformations, EXAMPLE_NAMES.transformation);
  const madeTrait = named(traits, EXAMPLE_NAMES.computedTrait);
  return withoutUndefined({
    source: (madeSource ?? sources[0])?.id,
    madeSource: madeSource?.id,
    writeKey: (madeSource ?? sources[0])?.writeKey ?? undefined,
    destination: (madeDestination ?? destinations[0])?.id,
    madeDestination: madeDestination?.id,
    destinationUrl: LOCAL_RECEIVER,
    segment: (madeSegment ?? segments[0])?.id,
    madeSegment: madeSegment?.id,
    trackingPlan: (madePlan ?? plans[0])?.id,
    madeTrackingPlan: madePlan?.id,
    transformation: (madeTransformation ?? transformations[0])?.id,
    madeTransformation: madeTransformation?.id,
    computedTrait: (madeTrait ?? traits[0])?.id,
    madeComputedTrait: madeTrait?.id,
    delivery: delivery?.id,
    unfinishedDelivery: (pending ?? dead)?.id,
    replay: replays[0]?.id,
    event: found.events[0]?.id,
    message: found.events[0]?.messageId,
  });
}

function named<T extends { readonly name: string }>(things: readonly T[], wanted: string): T | undefined {
  return things.find(({ name }) => name === wanted);
}

function withoutUndefined(examples: {
  [name in keyof ExistingExamples]: string | undefined;
}): ExistingExamples {
  return Object.fromEntries(Object.entries(examples).filter(([, value]) => value !== undefined));
}
