import type { UseQueryResult } from '@tanstack/react-query';
import { useDestinations, useSegments } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { type Dependent, dependentsOf } from '../../shared/used-by';
import { destinationsThatName, segmentsThatName } from './who-names';

interface Askers {
  readonly segments: UseQueryResult<Dto['SegmentDto'][]>;
  readonly destinations: UseQueryResult<Dto['DestinationDto'][]>;
  /** Those that are known: none while both are still being read. */
  readonly askers: readonly Dependent[];
}

/** Who asks about a computed trait, among all segments and destinations. */
export function useAskers(name: string): Askers {
  const segments = useSegments();
  const destinations = useDestinations();
  const askers = [
    ...dependentsOf('Segment', segmentsThatName(name, segments.data ?? [])),
    ...dependentsOf('Destination', destinationsThatName(name, destinations.data ?? [])),
  ];
  return { segments, destinations, askers };
}
