import type { Subject } from '../events/customer-event';
import { hasEvents } from '../events/forget-events';
import type { Tx } from '../platform/database/database';
import { hasProfile } from '../profiles/identity/forget-profiles';

/** Whether anything is known about the subjects, processed or not. */
export async function isHeld(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  return (await hasProfile(subjects, tx)) || (await hasEvents(subjects, tx));
}
