import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../destinations/destinations.service';
import type { Actor } from '../platform/auth/principal';
import type { ExpectedVersions } from '../platform/http/resources/version';
import { ComputedTraitsService } from '../segments/computed-traits/api/computed-traits.service';
import { SegmentsService } from '../segments/api/segments.service';
import { SourcesService } from '../sources/sources.service';
import { TrackingPlansService } from '../tracking-plans/api/tracking-plans.service';
import { TransformationsService } from '../transformations/api/transformations.service';
import type { JsonValue } from '../events/customer-event';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { DemandLock } from './configuration-lock';
import { renameSegments } from './segment-references';
import { toCreateDto } from './destination-references';
import type { Desired, Plan, PlannedChange, PresentVersion, ReferredKind } from './planned-change';
import { toSourceDto } from './source-planner';

/** Carries out the steps of a plan, by the services that single changes go through. */
@Injectable()
export class ConfigurationApplier {
  constructor(
    private readonly trackingPlans: TrackingPlansService,
    private readonly transformations: TransformationsService,
    private readonly sources: SourcesService,
    private readonly computedTraits: ComputedTraitsService,
    private readonly segments: SegmentsService,
    private readonly destinations: DestinationsService,
  ) {}

  /** Steps in their order; each is done when it is yielded. What a step creates, later ones may refer to. */
  async *carryOut(
    { changes, ids }: Plan,
    actor: Actor,
    demandLock: DemandLock,
  ): AsyncGenerator<PlannedChange> {
    const known = {
      trackingPlan: new Map(ids.trackingPlan),
      transformation: new Map(ids.transformation),
      source: new Map(ids.source),
      segment: new Map(ids.segment),
    };
    for (const change of changes) {
      await demandLock();
      if (change.action === 'delete') await this.delete(change, actor);
      else if (change.action === 'update') await this.update(change.desired, change.present, known, actor);
      else await this.create(change.desired, known, actor);
      yield change;
    }
  }

  private async create(
    desired: Desired,
    known: Record<ReferredKind, Map<string, string>>,
    actor: Actor,
  ): Promise<void> {
    switch (desired.kind) {
      case 'trackingPlan':
        known.trackingPlan.set(
          desired.trackingPlan.name,
          (await this.trackingPlans.create(desired.trackingPlan, actor)).id,
        );
        return;
      case 'transformation':
        known.transformation.set(
          desired.transformation.name,
          (await this.transformations.create(desired.transformation, actor)).id,
        );
        return;
      case 'source':
        known.source.set(
          desired.source.name,
          (await this.sources.create(toSourceDto(desired.source, known), actor)).id,
        );
        return;
      case 'computedTrait':
        await this.computedTraits.create(desired.computedTrait, actor);
        return;
      case 'segment':
        known.segment.set(
          desired.segment.name,
          (await this.segments.create(withIds(desired.segment, known), actor)).id,
        );
        return;
      case 'destination':
        await this.destinations.create(toCreateDto(desired.destination, known), actor);
    }
  }

  private async update(
    desired: Desired,
    present: PresentVersion,
    known: Plan['ids'],
    actor: Actor,
  ): Promise<void> {
    const expected = versionOf(present);
    switch (desired.kind) {
      case 'trackingPlan':
        await this.trackingPlans.update(present.id, desired.trackingPlan, actor, { expected });
        return;
      case 'transformation':
        await this.transformations.update(present.id, desired.transformation, actor, { expected });
        return;
      case 'source':
        await this.sources.update(present.id, toSourceDto(desired.source, known), actor, { expected });
        return;
      case 'computedTrait':
        await this.computedTraits.update(present.id, desired.computedTrait, actor, expected);
        return;
      case 'segment':
        await this.segments.update(present.id, withIds(desired.segment, known), actor, { expected });
        return;
      case 'destination':
        await this.destinations.update(present.id, toCreateDto(desired.destination, known), actor, {
          expected,
        });
    }
  }

  private delete(change: Extract<PlannedChange, { action: 'delete' }>, actor: Actor): Promise<void> {
    const services = {
      trackingPlan: this.trackingPlans,
      transformation: this.transformations,
      source: this.sources,
      computedTrait: this.computedTraits,
      segment: this.segments,
      destination: this.destinations,
    };
    return services[change.kind].delete(change.present.id, actor, versionOf(change.present));
  }
}

function withIds(segment: Required<CreateSegmentDto>, { segment: ids }: Plan['ids']): CreateSegmentDto {
  return { ...segment, rules: renameSegments(segment.rules as JsonValue[], (name) => ids.get(name)) };
}

function versionOf({ version }: PresentVersion): ExpectedVersions {
  return new Set([String(version)]);
}
