import type { CustomerEvent, Subject } from '../../events/customer-event';
import { acceptanceOf } from '../../events/inbox/acceptance';
import type { NewDelivery } from '../ledger/insert-deliveries';
import { isOfNobody } from '../new-notices';
import { personKey } from './person-key';

/** Whose the events of a transaction are. */
export interface PeopleOfEvents {
  /** The profile that the events of a subject belong to. */
  rootOf(subject: Subject): Subject;
  /** The profiles that have gone into others with these events. */
  readonly merged: readonly { readonly from: Subject; readonly into: Subject }[];
}

/** Everybody is who the subject says, and nobody has become somebody else. */
export const AS_THEY_ARE: PeopleOfEvents = { rootOf: (subject) => subject, merged: [] };

/** Where a delivery stands in a destination with an order. */
export interface Position {
  /** See {@link personKey}. */
  readonly person: string;
  /** Number of acceptance; undefined is behind all that was accepted so far. */
  readonly position: string | undefined;
}

interface Numbers {
  readonly ofEvent: (eventId: string) => string | undefined;
  /** By person, of their last event: notices about them come behind it. */
  readonly last: ReadonlyMap<Subject, bigint>;
}

/** Gives the deliveries of one transaction their positions. Where no destination has an order it does nothing. */
export class Positions {
  private made: Numbers | undefined;

  constructor(
    private readonly events: readonly CustomerEvent[],
    private readonly people: PeopleOfEvents,
  ) {}

  /** What is about nobody waits for nobody. */
  of({ id, event, payload }: NewDelivery): Position {
    if (payload !== undefined && isOfNobody(event)) return { person: personKey(id), position: undefined };
    const { ofEvent, last } = (this.made ??= this.numbers());
    const root = this.people.rootOf(event.subject);
    return { person: personKey(root), position: ofEvent(event.id) ?? last.get(root)?.toString() };
  }

  private numbers(): Numbers {
    const ofEvent = acceptanceOf(this.events);
    const last = new Map<Subject, bigint>();
    for (const { id, subject } of this.events) {
      const number = ofEvent(id);
      if (number === undefined) continue;
      const root = this.people.rootOf(subject);
      const accepted = BigInt(number);
      if (accepted > (last.get(root) ?? -1n)) last.set(root, accepted);
    }
    return { ofEvent, last };
  }
}
