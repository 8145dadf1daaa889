import { completeOrder } from '../destinations/complete-order';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import type { ConfigDestinationDto, ConfigSourceDto } from './dto/config-document.dto';

/** A document says how things are to be, so what it leaves out is as in something new. */
export function completeSource({
  name,
  kind = 'sdk',
  untransformed = 'keep',
  description = '',
  enabled = true,
  silentAfterMinutes = null,
  trackingPlan = null,
  signature = null,
}: ConfigSourceDto): Required<ConfigSourceDto> {
  return { name, kind, untransformed, description, enabled, silentAfterMinutes, trackingPlan, signature };
}

/** @param rules each with all its members */
export function completeTrackingPlan(
  { name, description = '', unplannedEvents = 'allow', unplannedProperties = 'allow' }: CreateTrackingPlanDto,
  rules: readonly unknown[],
): Required<CreateTrackingPlanDto> {
  return { name, description, rules: [...rules], unplannedEvents, unplannedProperties };
}

export function completeSegment(given: CreateSegmentDto): Required<CreateSegmentDto> {
  const { name, description = '', rules, match = 'all', announceFirst = false } = given;
  return { name, description, rules, match, announceFirst };
}

export function completeDestination(given: ConfigDestinationDto): Required<ConfigDestinationDto> {
  const { name, type, config, enabled = true, sources = null } = given;
  const { filter = null, mapping = null, notices = [], rateLimit = null, order = null } = given;
  const ordered = order === null ? null : completeOrder(order);
  return { name, type, config, enabled, sources, filter, mapping, notices, rateLimit, order: ordered };
}
