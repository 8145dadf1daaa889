import type { ReactNode } from 'react';
import { EVENT_OUTCOMES } from '../../shared/states';
import { ViewsNavigation } from '../../shared/views-navigation';

const VIEWS = {
  '/events': EVENT_OUTCOMES.accepted.word,
  '/events/rejected': EVENT_OUTCOMES.rejected.word,
  '/events/quarantined': EVENT_OUTCOMES.quarantined.word,
  '/events/live': 'Live',
};

/** The ways to look at events. */
export function EventsNavigation(): ReactNode {
  return <ViewsNavigation label="Events" views={VIEWS} />;
}
