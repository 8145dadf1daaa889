import type { CreateDestinationDto } from '../destinations/dto/create-destination.dto';
import { checkNoticeTraits } from '../destinations/notice-traits';
import { isJsonObject, type JsonObject, type JsonValue } from '../events/customer-event';
import { parseEventPath } from '../events/event-path';
import type { InputProblems } from '../platform/http/input/input-problems';
import { COMPUTED } from '../segments/rules/computed-path';
import type { Configuration } from './configuration-reader';
import type { ConfigDestinationDto, ConfigDocumentDto } from './dto/config-document.dto';
import { failUnknown } from './fail-unknown';
import type { Plan } from './planned-change';
import { referenceMembers } from './secret-reference';

type Complete = Required<ConfigDestinationDto>;

/** The names that others may refer to once the document is applied. */
export interface KnownNames {
  readonly trackingPlans: ReadonlySet<string>;
  readonly transformations: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  readonly computedTraits: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
}

export function knownNames(
  document: ConfigDocumentDto,
  configuration: Configuration,
  prune: boolean,
): KnownNames {
  const all = (kind: keyof KnownNames): Set<string> => {
    const listed = document[kind];
    const stays = prune && listed !== undefined ? [] : configuration[kind];
    return new Set([...(listed ?? []), ...stays].map(({ name }) => name));
  };
  return {
    trackingPlans: all('trackingPlans'),
    transformations: all('transformations'),
    sources: all('sources'),
    computedTraits: all('computedTraits'),
    segments: all('segments'),
  };
}

export function checkNames(destination: Complete, known: KnownNames, problems: InputProblems): void {
  const { sources, filter, transformation } = destination;
  const check = (kind: 'source' | 'segment', path: string, names: readonly unknown[]): void => {
    for (const [index, name] of names.entries()) {
      if (typeof name !== 'string' || known[`${kind}s`].has(name)) continue;
      failUnknown(problems, `${path}[${index}]`, kind, name);
    }
  };
  check('source', 'sources', sources ?? []);
  check('segment', 'filter.segments', segmentNames(filter));
  for (const [index, name] of traitsInFilter(filter)) {
    if (known.computedTraits.has(name)) continue;
    failUnknown(problems, `filter.conditions[${index}].field`, 'computed trait', name);
  }
  checkNoticeTraits(destination, known.computedTraits, problems);
  if (transformation === null || known.transformations.has(transformation)) return;
  failUnknown(problems, 'transformation', 'transformation', transformation);
}

/** The computed traits that the conditions of a filter ask about, each with the place of the condition. */
export function traitsInFilter(filter: JsonObject | null): (readonly [number, string])[] {
  return conditionsOf(filter).flatMap((condition, index) => {
    const path = isJsonObject(condition) ? parseEventPath(condition.field) : undefined;
    return path?.length === 2 && path[0] === COMPUTED ? [[index, String(path[1])] as const] : [];
  });
}

/**
 * With a member of events in the place of each computed trait of the filter, and none for notices: what is asked of
 * them is checked against those that will be there, and not against those that are.
 */
export function withoutTraits(given: Complete): Complete {
  const destination = { ...given, noticeTraits: null };
  const { filter } = destination;
  const ofTraits = new Set(traitsInFilter(filter).map(([index]) => index));
  if (ofTraits.size === 0) return destination;
  const conditions = conditionsOf(filter).map((condition, index) =>
    ofTraits.has(index) && isJsonObject(condition) ? { ...condition, field: 'type' } : condition,
  );
  return { ...destination, filter: { ...filter, conditions } };
}

function conditionsOf(filter: JsonObject | null): readonly JsonValue[] {
  return Array.isArray(filter?.conditions) ? filter.conditions : [];
}

/**
 * As the Management API takes it: ids for names, as far as there are any yet, and no key of a mapping that is to stay.
 */
export function toCreateDto(
  { transformation, ...destination }: Complete,
  ids: Plan['ids'],
): CreateDestinationDto {
  const { sources, filter, mapping } = destination;
  const segments = known(segmentNames(filter).map((name) => idOf(name, ids.segment)));
  return {
    ...destination,
    transformationId: transformation === null ? null : (ids.transformation.get(transformation) ?? null),
    mapping: mapping === null ? null : withoutReferences(mapping),
    sources: sources === null ? null : known(sources.map((name) => ids.source.get(name))),
    filter: segmentNames(filter).length === 0 ? filter : withSegments(filter, segments),
  };
}

function withSegments(filter: JsonObject | null, segments: JsonValue[]): JsonObject {
  const { segments: _, ...rest } = filter ?? {};
  return segments.length === 0 ? rest : { ...rest, segments };
}

/** What is no name is left to the check of the filter. */
function idOf(name: JsonValue, ids: ReadonlyMap<string, string>): JsonValue | undefined {
  return typeof name === 'string' ? ids.get(name) : name;
}

function known<T>(ids: readonly (T | undefined)[]): T[] {
  return ids.filter((id): id is T => id !== undefined);
}

/** The ids of the segments that a kept filter names. */
export function segmentsInFilter(filter: JsonObject | null): string[] {
  return segmentNames(filter).flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []));
}

/** The segments that a filter asks for, as it names them. */
export function segmentNames(filter: JsonObject | null): readonly JsonValue[] {
  return Array.isArray(filter?.segments) ? filter.segments : [];
}

function withoutReferences(object: JsonObject): JsonObject {
  const references = referenceMembers(object);
  return Object.fromEntries(Object.entries(object).filter(([name]) => !references.includes(name)));
}
