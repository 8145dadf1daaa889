import type { Subject } from '../events/customer-event';
import { hasEvents } from '../events/forget-events';
import { hasRejectedEvents } from '../events/rejected/keep-rejected-events';
import { hasHookRequests } from '../hooks/requests/failed-hook-requests';
import type { Tx } from '../platform/database/database';
import { hasQuarantinedEvents } from '../tracking-plans/quarantine/forget-quarantined-events';
import { hasProfile } from '../profiles/identity/forget-profiles';

/** Whether anything is known about the subjects, processed or not, accepted or not. */
export async function isHeld(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  if ((await hasProfile(subjects, tx)) || (await hasEvents(subjects, tx))) return true;
  if (await hasRejectedEvents(subjects, tx)) return true;
  return (await hasQuarantinedEvents(subjects, tx)) || hasHookRequests(subjects, tx);
}
