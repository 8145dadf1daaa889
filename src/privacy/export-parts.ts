import { deliveryExport } from '../delivery/export-deliveries';
import { hookRequestExport } from '../hooks/requests/failed-hook-requests';
import { deadEventExport, eventExport, rejectedEventExport } from '../events/reading/export-events';
import type { ExportPart } from '../platform/database/statements/export-part';
import { dayCountExport, identityExport } from '../profiles/reading/export-profiles';
import { quarantinedEventExport } from '../tracking-plans/quarantine/forget-quarantined-events';
import { computedValueExport } from '../segments/computed-traits/export-values';
import { membershipExport } from '../segments/reading/export-memberships';

/** In the order of the lines. */
export const EXPORT_PARTS: readonly ExportPart[] = [
  identityExport,
  dayCountExport,
  membershipExport,
  computedValueExport,
  deadEventExport,
  rejectedEventExport,
  quarantinedEventExport,
  hookRequestExport,
  eventExport,
  deliveryExport,
];
