import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../destinations/destinations.service';
import type { DestinationDto } from '../destinations/dto/destination.dto';
import { ComputedTraitsService } from '../segments/computed-traits/api/computed-traits.service';
import { ComputedTraitDto } from '../segments/computed-traits/api/dto/computed-trait.dto';
import type { SegmentDto } from '../segments/api/dto/segment.dto';
import { SegmentsService } from '../segments/api/segments.service';
import type { SourceDto } from '../sources/dto/source.dto';
import { SourcesService } from '../sources/sources.service';
import { TransformationDto } from '../transformations/api/dto/transformation.dto';
import { TransformationsService } from '../transformations/api/transformations.service';
import { TrackingPlanDto } from '../tracking-plans/api/dto/tracking-plan.dto';
import { TrackingPlansService } from '../tracking-plans/api/tracking-plans.service';

/** Everything that is configured. */
export interface Configuration {
  readonly trackingPlans: readonly TrackingPlanDto[];
  readonly transformations: readonly TransformationDto[];
  readonly sources: readonly SourceDto[];
  readonly computedTraits: readonly ComputedTraitDto[];
  readonly segments: readonly SegmentDto[];
  readonly destinations: readonly DestinationDto[];
}

@Injectable()
export class ConfigurationReader {
  constructor(
    private readonly trackingPlans: TrackingPlansService,
    private readonly transformations: TransformationsService,
    private readonly sources: SourcesService,
    private readonly computedTraits: ComputedTraitsService,
    private readonly segments: SegmentsService,
    private readonly destinations: DestinationsService,
  ) {}

  async read(): Promise<Configuration> {
    const [plans, written, sources, traits, segments, destinations] = await Promise.all([
      this.trackingPlans.findAll(),
      this.transformations.findAll(),
      this.sources.findAll(),
      this.computedTraits.findAll(),
      this.segments.findAll(),
      this.destinations.findAll(),
    ]);
    const trackingPlans = plans.map((plan) => TrackingPlanDto.from(plan));
    const transformations = written.map((one) => TransformationDto.from(one));
    const computedTraits = traits.map((trait) => ComputedTraitDto.from(trait));
    return { trackingPlans, transformations, sources, computedTraits, segments, destinations };
  }
}

/** Resources of one kind, which are told apart by their names. */
export function byName<T extends { readonly name: string }>(resources: readonly T[]): ReadonlyMap<string, T> {
  return new Map(resources.map((resource) => [resource.name, resource]));
}

/** Another one after any change of any resource: the `ETag` without its quotes. */
export function versionOf(configuration: Configuration): string {
  const { trackingPlans, transformations, sources, computedTraits, segments, destinations } = configuration;
  const versioned = [trackingPlans, transformations, sources, computedTraits, segments, destinations];
  const versions = versioned.flat().map(({ id, version }) => [id, version]);
  return createHash('sha256').update(JSON.stringify(versions)).digest('base64url');
}
