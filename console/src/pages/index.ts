import { audit } from './audit';
import { computedTraits } from './computed-traits';
import { configuration } from './configuration';
import type { ConsolePage } from './console-page';
import { destinations } from './destinations';
import { events } from './events';
import { overview } from './overview';
import { people } from './people';
import { segments } from './segments';
import { sources } from './sources';
import { trackingPlans } from './tracking-plans';
import { transformations } from './transformations';

/** All pages, in the order of the navigation. The first one that a person may see is where the console begins. */
export const pages: readonly ConsolePage[] = [
  overview,
  events,
  people,
  segments,
  computedTraits,
  destinations,
  sources,
  trackingPlans,
  transformations,
  audit,
  configuration,
];
