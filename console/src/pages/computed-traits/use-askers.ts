import type { UseQueryResult } from '@tanstack/react-query';
import { useDestinations, useSegments } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { destinationsThatName, segmentsThatName } from './who-names';

/** A segment or destination that asks about a computed trait. */
export interface Asker {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

interface Askers {
  readonly segments: UseQueryResult<Dto['SegmentDto'][]>;
  readonly destinations: UseQueryResult<Dto['DestinationDto'][]>;
  /** Those that are known: none while both are still being read. */
  readonly askers: readonly Asker[];
}

/** Who asks about a computed trait, among all segments and destinations. */
export function useAskers(name: string): Askers {
  const segments = useSegments();
  const destinations = useDestinations();
  const askers = [
    ...asLinks('Segment', '/segments', segmentsThatName(name, segments.data ?? [])),
    ...asLinks('Destination', '/destinations', destinationsThatName(name, destinations.data ?? [])),
  ];
  return { segments, destinations, askers };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function asLinks(kind: string, path: string, all: readonly Named[]): Asker[] {
  return all.map(({ id, name }) => ({ kind, name, href: `${path}/${id}` }));
}
