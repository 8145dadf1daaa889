import type { JsonValue } from '../events/customer-event';
import { segmentNames } from './destination-references';
import type { ConfigDestinationDto, ConfigDocumentDto, ConfigSourceDto } from './dto/config-document.dto';
import type { ReferredKind } from './planned-change';
import { renameSegments } from './segment-references';

/** A place in a document that names a resource. */
export interface NameUse {
  readonly kind: ReferredKind;
  readonly name: string;
  readonly path: string;
}

/** All places of a document that refer to resources by names of which several may have one. */
export function nameUses({ sources = [], segments = [], destinations = [] }: ConfigDocumentDto): NameUse[] {
  return [
    ...sources.flatMap((source, index) => usesOfSource(source, `sources[${index}]`)),
    ...segments.flatMap(({ rules }, index) => usesInRules(rules, `segments[${index}].rules`)),
    ...destinations.flatMap((destination, index) => usesOfDestination(destination, `destinations[${index}]`)),
  ];
}

function usesOfSource({ trackingPlan, transformation }: ConfigSourceDto, path: string): NameUse[] {
  return [
    ...useOf('trackingPlan', trackingPlan, `${path}.trackingPlan`),
    ...useOf('transformation', transformation, `${path}.transformation`),
  ];
}

function usesInRules(rules: unknown, path: string): NameUse[] {
  const uses: NameUse[] = [];
  const note = (name: string, place: string): undefined => {
    uses.push({ kind: 'segment', name, path: place });
  };
  if (Array.isArray(rules)) renameSegments(rules as JsonValue[], note, path);
  return uses;
}

function usesOfDestination(
  { sources, filter = null, transformation }: ConfigDestinationDto,
  path: string,
): NameUse[] {
  return [
    ...(sources ?? []).flatMap((name, index) => useOf('source', name, `${path}.sources[${index}]`)),
    ...segmentNames(filter).flatMap((name, index) =>
      useOf('segment', name, `${path}.filter.segments[${index}]`),
    ),
    ...useOf('transformation', transformation, `${path}.transformation`),
  ];
}

/** What is no name is left to the checks of the entry. */
function useOf(kind: ReferredKind, name: unknown, path: string): NameUse[] {
  return typeof name === 'string' ? [{ kind, name, path }] : [];
}
