import type { ReactNode } from 'react';
import { useDestinations, useSegments } from '../../api/all-of';
import { UsedBy, dependentsOf } from '../../shared/used-by';
import { destinationsThatAsk, segmentsThatAsk } from './who-asks-about';

/** Which segments and destinations ask whether people are in a segment. */
export function WhoAsks({ id }: { readonly id: string }): ReactNode {
  const [segments, destinations] = [useSegments(), useDestinations()];
  const dependents = [
    ...dependentsOf('Segment', segmentsThatAsk(id, segments.data ?? [])),
    ...dependentsOf('Destination', destinationsThatAsk(id, destinations.data ?? [])),
  ];
  return <UsedBy queries={[segments, destinations]} dependents={dependents} />;
}
