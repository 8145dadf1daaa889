import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { SourceLink } from '../../shared/source-link';
import { To } from '../../shared/to';

/** The event that something is known from. */
export function OriginEvent({ event }: { readonly event: Dto['EventHeadDto'] | null }): ReactNode {
  if (event === null) return 'an event that is not stored any more';
  return (
    <>
      <To href={`/events/${event.id}`}>{event.name}</To> from <SourceLink id={event.sourceId} />
    </>
  );
}
