import { deliveryExport } from '../delivery/export-deliveries';
import { countDeliveriesOfPeople, eraseDeliveries } from '../delivery/ledger/ending/erase-deliveries';
import type { Subject } from '../events/customer-event';
import { countEventsOfPeople, forgetDeadEvents, forgetEvents, hasEvents } from '../events/forget-events';
import { deadEventExport, eventExport } from '../events/reading/export-events';
import { rejectedEventsOfPeople } from '../events/rejected/rejected-events-of-people';
import { forgetInTail } from '../events/tail/read-tail';
import { hookRequestsOfPeople } from '../hooks/requests/hook-requests-of-people';
import type { Tx } from '../platform/database/database';
import type { ExportPart } from '../platform/database/statements/export-part';
import { forgetDayCounts, forgetProfiles, hasProfile } from '../profiles/identity/forget-profiles';
import { dayCountExport, identityExport } from '../profiles/reading/export-profiles';
import { computedValueExport } from '../segments/computed-traits/export-values';
import { forgetErasedValues } from '../segments/computed-traits/forget-values';
import { forgetEvaluations, forgetMembers } from '../segments/membership/forget-people';
import { membershipExport } from '../segments/reading/export-memberships';
import { quarantinedEventsOfPeople } from '../tracking-plans/quarantine/quarantined-events-of-people';
import type { ErasedParts } from './erasure-notes';
import type { CountRows, ForgetRows } from './in-parts';

/** How many rows were deleted, by what they are called where they are told. */
export interface ErasedRows extends ErasedParts {
  readonly identities: number;
  readonly memberships: number;
  readonly computedValues: number;
}

interface Held {
  /** Where it is; its rows have the `subject` or the `subjects` that they are of. */
  readonly table: string;
  /**
   * Whether there is any. Left out of what is not there without another that says so, or is found only by a long walk.
   */
  readonly has?: (subjects: readonly Subject[], tx: Tx) => Promise<boolean>;
  /** Left out where it is said by another, or kept for seconds. */
  readonly exported?: ExportPart;
}

/** What the last transaction of an erasure deletes, as much as there is. */
interface HeldLittle extends Held {
  /** The caller has the profiles locked. @returns how many rows it had to do with */
  readonly forget: (subjects: readonly Subject[], tx: Tx) => Promise<number>;
  readonly counted?: keyof ErasedRows;
}

/** What there may be much of: all but the last rows go before, in parts. */
interface HeldMuch extends Held {
  readonly forgetPart: ForgetRows;
  readonly counted: keyof ErasedParts;
  /** Asked before an erasure begins, where it is likely that there is much. */
  readonly count?: CountRows;
}

/**
 * All that is held of people, in the order of the lines of an export. What waits for workers is not in it: who the
 * person is depends on that.
 */
export const HELD_OF_PEOPLE: readonly (HeldLittle | HeldMuch)[] = [
  {
    table: 'profile',
    has: hasProfile,
    forget: forgetProfiles,
    counted: 'identities',
    exported: identityExport,
  },
  { table: 'profile_day', forget: forgetDayCounts, exported: dayCountExport },
  { table: 'segment_member', forget: forgetMembers, counted: 'memberships', exported: membershipExport },
  { table: 'group_evaluation', forget: forgetEvaluations },
  {
    table: 'computed_value',
    forget: forgetErasedValues,
    counted: 'computedValues',
    exported: computedValueExport,
  },
  { table: 'dead_event', forget: forgetDeadEvents, exported: deadEventExport },
  { ...rejectedEventsOfPeople, counted: 'others' },
  { ...quarantinedEventsOfPeople, counted: 'others' },
  { ...hookRequestsOfPeople, counted: 'others' },
  { table: 'tail_entry', forget: forgetInTail },
  {
    table: 'event',
    has: hasEvents,
    forgetPart: forgetEvents,
    count: countEventsOfPeople,
    counted: 'events',
    exported: eventExport,
  },
  {
    table: 'delivery',
    forgetPart: eraseDeliveries,
    count: countDeliveriesOfPeople,
    counted: 'deliveries',
    exported: deliveryExport,
  },
];

/** What an erasure deletes in parts. Deliveries first: they are sent from the events. */
export const HELD_MUCH: readonly HeldMuch[] = HELD_OF_PEOPLE.filter(
  (held) => 'forgetPart' in held,
).toReversed();

/** Whether anything is known about the subjects, processed or not, accepted or not. */
export async function isHeld(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  for (const { has } of HELD_OF_PEOPLE) if (await has?.(subjects, tx)) return true;
  return false;
}
