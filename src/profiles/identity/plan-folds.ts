import type { Subject } from '../../events/customer-event';
import type { Identities } from './identities';
import type { Link } from './links';

/** The profiles that links bring together. */
export interface FoldPlan {
  /** The profiles that go into others, each once. */
  readonly ended: readonly Subject[];
  /** They and all their members, to the profile they belong to from now on, which itself does not end. */
  readonly pointers: ReadonlyMap<Subject, Subject>;
  /** Links that were refused because a profile would have had too many ids. */
  readonly refused: readonly Link[];
}

/**
 * Works through links in order of arrival and brings `identities`, which must know the members of all profiles
 * concerned, up to date. `maxIds` bounds the ids of one profile.
 */
export function planFolds(links: readonly Link[], identities: Identities, maxIds: number): FoldPlan {
  const ended: Subject[] = [];
  const moved: Subject[] = [];
  const refused: Link[] = [];
  for (const link of links) {
    const from = identities.rootOf(link.from);
    const into = identities.rootOf(link.into);
    if (!joins(link, from, into)) continue;
    const members = identities.membersOf(from);
    if (members.length + identities.membersOf(into).length + 2 > maxIds) {
      refused.push(link);
      continue;
    }
    for (const member of members) moved.push(member);
    moved.push(from);
    ended.push(from);
    identities.fold(from, into);
  }
  const pointers = new Map<Subject, Subject>();
  for (const subject of moved) pointers.set(subject, identities.rootOf(subject));
  return { ended, pointers, refused };
}

/** Whether a link brings two profiles together: a visitor who already belongs to a person stays there. */
export function joins(link: Link, from: Subject, into: Subject): boolean {
  return from !== into && (link.rule === 'always' || link.from === from);
}
