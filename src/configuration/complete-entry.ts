import { completeOrder } from '../destinations/complete-order';
import type { CreateComputedTraitDto } from '../segments/computed-traits/api/dto/create-computed-trait.dto';
import { definitionIn } from '../segments/rules/named-measures';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import type { CreateTransformationDto } from '../transformations/api/dto/create-transformation.dto';
import type { ConfigDestinationDto, ConfigSourceDto } from './dto/config-document.dto';

/** A document says how things are to be, so what it leaves out is as in something new. */
export function completeSource({
  name,
  kind = 'sdk',
  untransformed = 'keep',
  transformation = null,
  description = '',
  enabled = true,
  silentAfterMinutes = null,
  trackingPlan = null,
  signature = null,
}: ConfigSourceDto): Required<ConfigSourceDto> {
  const webhook = { untransformed, transformation, signature };
  return { name, kind, description, enabled, silentAfterMinutes, trackingPlan, ...webhook };
}

/** @param rules each with all its members */
export function completeTrackingPlan(
  { name, description = '', unplannedEvents = 'allow', unplannedProperties = 'allow' }: CreateTrackingPlanDto,
  rules: readonly unknown[],
): Required<CreateTrackingPlanDto> {
  return { name, description, rules: [...rules], unplannedEvents, unplannedProperties };
}

export function completeTransformation({
  name,
  description = '',
  code,
}: CreateTransformationDto): Required<CreateTransformationDto> {
  return { name, description, code };
}

export function completeComputedTrait({
  name,
  description = '',
  ...members
}: CreateComputedTraitDto): CreateComputedTraitDto {
  return { name, description, ...definitionIn(members) };
}

export function completeSegment(given: CreateSegmentDto): Required<CreateSegmentDto> {
  const { name, description = '', rules, match = 'all', announceFirst = false } = given;
  return { name, description, rules, match, announceFirst };
}

export function completeDestination(given: ConfigDestinationDto): Required<ConfigDestinationDto> {
  const { name, type, config, enabled = true, sources = null } = given;
  const { filter = null, transformation = null, mapping = null, notices = [] } = given;
  const { noticeTraits = null, rateLimit = null, order: unordered = null } = given;
  const order = unordered === null ? null : completeOrder(unordered);
  const routing = { sources, filter, transformation, mapping, notices, noticeTraits };
  return { name, type, config, enabled, ...routing, rateLimit, order };
}
