import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { AnsweredPage } from '../../shared/answered-page';
import { ViewsNavigation } from '../../shared/views-navigation';
import { useDestination } from './use-destination';

interface DestinationFrameProps {
  /** What of the destination the page shows, for its title: `deliveries`. */
  readonly part?: string;
  readonly actions?: (destination: Dto['DestinationDto']) => ReactNode;
  readonly children: (destination: Dto['DestinationDto']) => ReactNode;
}

/** What is around each page of one destination. */
export function DestinationFrame({ part, actions, children }: DestinationFrameProps): ReactNode {
  const { id = '' } = useParams();
  const mayWrite = useCan('write');
  return (
    <AnsweredPage
      query={useDestination(id)}
      fallbackTitle="Destination"
      title={({ name }) => (part === undefined ? name : `${name}: ${part}`)}
      actions={actions}
    >
      {(destination) => (
        <>
          <ViewsNavigation label="Destination" views={viewsOf(id, mayWrite)} />
          {children(destination)}
        </>
      )}
    </AnsweredPage>
  );
}

function viewsOf(id: string, mayWrite: boolean): Readonly<Record<string, string>> {
  const path = `/destinations/${id}`;
  return {
    [path]: 'Overview',
    [`${path}/deliveries`]: 'Deliveries',
    [`${path}/dead-letters`]: 'Dead letters',
    ...(mayWrite ? { [`${path}/settings`]: 'Settings' } : {}),
  };
}
