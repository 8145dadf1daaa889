import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  nameOf,
  useComputedTraits,
  useDestinations,
  useSegments,
  useSources,
  useTrackingPlans,
  useTransformations,
} from '../../api/all-of';
import type { Dto } from '../../api/client';
import { To } from '../../shared/to';

type Entry = Dto['AuditEntryDto'];

interface Listing {
  readonly path: string;
  readonly useAll: () => UseQueryResult<readonly { readonly id: string; readonly name: string }[]>;
}

/** Where the things are that have a name. */
const LISTINGS = {
  source: { path: '/sources', useAll: useSources },
  tracking_plan: { path: '/tracking-plans', useAll: useTrackingPlans },
  transformation: { path: '/transformations', useAll: useTransformations },
  destination: { path: '/destinations', useAll: useDestinations },
  computed_trait: { path: '/computed-traits', useAll: useComputedTraits },
  segment: { path: '/segments', useAll: useSegments },
} as const satisfies Partial<Readonly<Record<Entry['resource'], Listing>>>;

/** What was changed: as it was called then, and a link to it while it is there. */
export function AuditedThing({ entry }: { readonly entry: Entry }): ReactNode {
  const { resource, resourceId, resourceName } = entry;
  if (resource in LISTINGS) {
    const listing = LISTINGS[resource as keyof typeof LISTINGS];
    return <Listed key={resource} listing={listing} id={resourceId} called={resourceName} />;
  }
  if (resource === 'configuration') return <To href="/configuration">All that is configured</To>;
  const destinationId = destinationOf(entry);
  if (destinationId !== undefined) return <Delivery id={resourceId} destinationId={destinationId} />;
  return <Wrapped>{resourceId}</Wrapped>;
}

interface ListedProps {
  readonly listing: Listing;
  readonly id: string;
  /** Null in entries of versions that did not keep it. */
  readonly called: string | null;
}

function Listed({ listing: { path, useAll }, id, called }: ListedProps): ReactNode {
  const all = useAll().data;
  const name = called ?? nameOf(all, id);
  if (all?.some((one) => one.id === id)) return <To href={`${path}/${id}`}>{name}</To>;
  return (
    <Wrapped>
      {name}
      {all !== undefined && ' (deleted)'}
    </Wrapped>
  );
}

interface DeliveryProps {
  readonly id: string;
  readonly destinationId: string;
}

/** It is shown among those of its destination. */
function Delivery({ id, destinationId }: DeliveryProps): ReactNode {
  const isThere = useDestinations().data?.some((one) => one.id === destinationId) === true;
  if (isThere) return <To href={`/destinations/${destinationId}/deliveries/${id}`}>{id}</To>;
  return <Wrapped>{id}</Wrapped>;
}

function destinationOf({ resource, before }: Entry): string | undefined {
  const { destinationId }: { destinationId?: unknown } = before ?? {};
  return resource === 'delivery' && typeof destinationId === 'string' ? destinationId : undefined;
}

/** A name may be as long as it likes, and a pseudonym has no place to break. */
function Wrapped({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Text span inherit style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
