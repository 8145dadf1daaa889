import type { ConnectorRegistry } from '../connectors/registry';
import { replaceSecrets } from '../connectors/secret-fields';
import { completeOrder } from '../destinations/complete-order';
import type { DestinationDto } from '../destinations/dto/destination.dto';
import { isJsonObject, type JsonObject, type JsonValue } from '../events/customer-event';
import type { CreateComputedTraitDto } from '../segments/computed-traits/api/dto/create-computed-trait.dto';
import { definitionIn } from '../segments/rules/named-measures';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import type { SourceDto } from '../sources/dto/source.dto';
import type { CreateTransformationDto } from '../transformations/api/dto/create-transformation.dto';
import type { CreateTrackingPlanDto } from '../tracking-plans/api/dto/create-tracking-plan.dto';
import type { Configuration } from './configuration-reader';
import type { ConfigDestinationDto, ConfigSourceDto } from './dto/config-document.dto';
import { ReferenceNames } from './secret-reference';
import { renameSegments } from './segment-references';

/** The connectors' view of what of a config is secret. */
type Connectors = Pick<ConnectorRegistry, 'get'>;

/**
 * The configuration as a document: names for ids, references for secrets, and nothing that is as it would be anyway.
 */
export function exportDocument(configuration: Configuration, connectors: Connectors): JsonObject {
  const names = namesOf(configuration);
  const references = new ReferenceNames();
  return {
    version: 1,
    trackingPlans: configuration.trackingPlans.map(trackingPlanEntry),
    transformations: configuration.transformations.map(transformationEntry),
    sources: configuration.sources.map((source) =>
      sourceWithReferences(sourceEntry(withNames(source, names)), references),
    ),
    computedTraits: configuration.computedTraits.map(computedTraitEntry),
    segments: configuration.segments.map((segment) => segmentEntry(named(segment, names))),
    destinations: configuration.destinations.map((destination) =>
      withReferences(destinationEntry(destination, names), connectors, references),
    ),
  };
}

/** The names, by their ids, of what others refer to. */
export function namesOf({
  trackingPlans,
  transformations,
  sources,
  segments,
}: Configuration): ReadonlyMap<string, string> {
  const all = [...trackingPlans, ...transformations, ...sources, ...segments];
  return new Map(all.map(({ id, name }) => [id, name]));
}

export function trackingPlanEntry(plan: Required<CreateTrackingPlanDto>): JsonObject {
  const { name, description, rules, unplannedEvents, unplannedProperties } = plan;
  const actions = Object.entries({ unplannedEvents, unplannedProperties }).filter(
    ([, one]) => one !== 'allow',
  );
  return { name, ...optional({ description }), ...Object.fromEntries(actions), rules: rules as JsonValue[] };
}

export function transformationEntry(transformation: Required<CreateTransformationDto>): JsonObject {
  const { name, description, code } = transformation;
  return { name, ...optional({ description }), code };
}

/** A source with the names of its plan and its transformation, as an entry has them. */
export function withNames(
  { trackingPlanId, transformationId, ...source }: SourceDto,
  names: ReadonlyMap<string, string>,
): Required<ConfigSourceDto> {
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return { ...source, trackingPlan: nameOf(trackingPlanId), transformation: nameOf(transformationId) };
}

export function sourceEntry(source: Required<ConfigSourceDto>): JsonObject {
  const { name, kind, untransformed, description, enabled, silentAfterMinutes } = source;
  const { trackingPlan, transformation } = source;
  const signature = source.signature && Object.fromEntries(Object.entries(source.signature));
  return {
    name,
    ...(kind === 'sdk' ? {} : { kind }),
    ...(untransformed === 'keep' ? {} : { untransformed }),
    ...optional({ description }),
    enabled,
    ...optional({ silentAfterMinutes, trackingPlan, transformation, signature }),
  };
}

function sourceWithReferences(entry: JsonObject, references: ReferenceNames): JsonObject {
  const { name, signature } = entry as JsonObject & { name: string };
  if (!isJsonObject(signature) || !Array.isArray(signature.secrets)) return entry;
  const secrets = signature.secrets.map(() => references.next(name, 'signature', 'secret'));
  return { ...entry, signature: { ...signature, secrets } };
}

export function computedTraitEntry(trait: CreateComputedTraitDto): JsonObject {
  const { name, description = '' } = trait;
  return { name, ...optional({ description }), ...(definitionIn(trait) as unknown as JsonObject) };
}

/** With the names of the segments that its rules ask about, as an entry has them. */
export function named<S extends { readonly rules: readonly unknown[] }>(
  segment: S,
  names: ReadonlyMap<string, string>,
): S & { rules: JsonValue[] } {
  const rules = renameSegments(segment.rules as JsonValue[], (id) => names.get(id.toLowerCase()));
  return { ...segment, rules };
}

export function segmentEntry(segment: Required<CreateSegmentDto>): JsonObject {
  const { name, description, match, rules, announceFirst } = segment;
  return {
    name,
    ...optional({ description }),
    match,
    rules: (rules as JsonValue[]).map(asRead),
    ...optional({ announceFirst }),
  };
}

/** A rule with its members in the order people write them; PostgreSQL keeps them by their length. */
function asRead(rule: JsonValue): JsonValue {
  if (!isJsonObject(rule)) return rule;
  const { match, not, rules, field, event, type, within, from, to, operator, value, ...others } = rule;
  const nested = Array.isArray(rules) ? rules.map(asRead) : rules;
  const when = { within, from, to };
  const ordered = { match, not, rules: nested, field, event, type, ...when, operator, value, ...others };
  return Object.fromEntries(
    Object.entries(ordered).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** With its secrets masked. */
export function destinationEntry(
  destination: DestinationDto,
  names: ReadonlyMap<string, string>,
): JsonObject {
  const { name, type, config, enabled, sources, filter, mapping, notices, rateLimit, order } = destination;
  const { transformationId, noticeTraits } = destination;
  const named = (ids: readonly string[]): string[] => ids.map((id) => names.get(id.toLowerCase()) ?? id);
  const rest: Record<
    Exclude<keyof ConfigDestinationDto, 'name' | 'type' | 'config' | 'enabled'>,
    JsonValue
  > = {
    sources: sources === null ? null : named(sources),
    filter: Array.isArray(filter?.segments)
      ? { ...filter, segments: named(filter.segments as string[]) }
      : filter,
    transformation: transformationId === null ? null : (names.get(transformationId) ?? transformationId),
    mapping,
    notices,
    noticeTraits,
    rateLimit: rateLimit === null ? null : { perSecond: rateLimit.perSecond },
    order: order === null ? null : { ...completeOrder(order) },
  };
  return { name, type, config, enabled, ...optional(rest) };
}

function withReferences(entry: JsonObject, connectors: Connectors, references: ReferenceNames): JsonObject {
  const { name, type, config, mapping } = entry as JsonObject & {
    name: string;
    type: string;
    config: JsonObject;
  };
  const secretFields = connectors.get(type)?.secretFields ?? [];
  const referenced = replaceSecrets(config, secretFields, ({ path }) => references.next(name, ...path));
  const complete: JsonObject = { ...entry, config: referenced };
  if (!isJsonObject(mapping) || mapping.hashKey === undefined) return complete;
  return { ...complete, mapping: { ...mapping, hashKey: references.next(name, 'hashKey') } };
}

/** Without what is left out just as well. */
function optional(members: JsonObject): JsonObject {
  const isDefault = (value: unknown): boolean =>
    value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isDefault(value)));
}
