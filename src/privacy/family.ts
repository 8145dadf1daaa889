import { Injectable } from '@nestjs/common';
import type { Subject } from '../events/customer-event';
import { readWaitingEvents } from '../events/inbox/waiting-events';
import type { Tx } from '../platform/database/database';
import { type Link, linksOf } from '../profiles/identity/links';
import { planFolds } from '../profiles/identity/plan-folds';
import { readFamilies } from '../profiles/identity/read-identities';
import { ProfileLimits } from '../profiles/state/profile-limits';

/** Which subjects are one person. */
@Injectable()
export class Family {
  constructor(private readonly limits: ProfileLimits) {}

  /**
   * All subjects of a person, the given one included, as they will be once the person's waiting events are processed:
   * what a visitor did is the user's as soon as an event that says so is accepted.
   */
  async of(subject: Subject, tx: Tx): Promise<Subject[]> {
    let family: readonly Subject[] = [subject];
    for (;;) {
      const links = await waitingLinks(family, tx);
      const known = await readFamilies([...family, ...links.flatMap(({ from, into }) => [from, into])], tx);
      planFolds(links, known, this.limits.maxIds);
      const root = known.rootOf(subject);
      const found = [...new Set([subject, root, ...known.membersOf(root)])].sort();
      if (found.length <= family.length) return found;
      family = found;
    }
  }

  /** All subjects of a person as they are now, whatever waits. */
  async known(subject: Subject, tx: Tx): Promise<Subject[]> {
    const known = await readFamilies([subject], tx);
    const root = known.rootOf(subject);
    return [...new Set([subject, root, ...known.membersOf(root)])];
  }
}

/** Whether no other subject belongs to these. Stays so while their profiles are locked. */
export async function isWholeFamily(subjects: readonly Subject[], tx: Tx): Promise<boolean> {
  const known = await readFamilies(subjects, tx);
  const roots = subjects.map((subject) => known.rootOf(subject));
  return roots.every((root) => [root, ...known.membersOf(root)].every((other) => subjects.includes(other)));
}

/** Each once, for what is said again brings nobody else together; there may be very many events that say the same. */
async function waitingLinks(subjects: readonly Subject[], tx: Tx): Promise<Link[]> {
  const links = new Map<string, Link>();
  for await (const events of readWaitingEvents(subjects, tx)) {
    for (const link of events.flatMap(linksOf)) {
      const key = JSON.stringify([link.from, link.into, link.rule]);
      if (!links.has(key)) links.set(key, link);
    }
  }
  return [...links.values()];
}
