import type { ReactNode } from 'react';
import { ViewsNavigation } from '../../shared/views-navigation';

const VIEWS = {
  '/events': 'Accepted',
  '/events/rejected': 'Rejected',
  '/events/quarantined': 'Quarantined',
  '/events/live': 'Live',
};

/** The ways to look at events. */
export function EventsNavigation(): ReactNode {
  return <ViewsNavigation label="Events" views={VIEWS} />;
}
