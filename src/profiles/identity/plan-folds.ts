import type { Subject } from '../../events/customer-event';
import type { Identities } from './identities';
import type { Link } from './links';

/** The profiles that links bring together. */
export interface FoldPlan {
  /** Profile that ends, to the profile it goes into, which itself does not end. */
  readonly folds: ReadonlyMap<Subject, Subject>;
  /** The profiles that end and all their members, to the profile they belong to from now on. */
  readonly pointers: ReadonlyMap<Subject, Subject>;
  /** Links that were refused because a profile would have had too many ids. */
  readonly refused: readonly Link[];
}

/**
 * Works through links in order of arrival and brings `identities`, which must know the members of all profiles
 * concerned, up to date. `maxIds` bounds the ids of one profile.
 */
export function planFolds(links: readonly Link[], identities: Identities, maxIds: number): FoldPlan {
  const ended = new Set<Subject>();
  const moved = new Set<Subject>();
  const refused: Link[] = [];
  for (const link of links) {
    const from = identities.rootOf(link.from);
    const into = identities.rootOf(link.into);
    if (!joins(link, from, into)) continue;
    const members = identities.membersOf(from);
    if (members.size + identities.membersOf(into).size + 2 > maxIds) {
      refused.push(link);
      continue;
    }
    for (const member of members) moved.add(member);
    moved.add(from);
    ended.add(from);
    identities.fold(from, into);
  }
  const rooted = (subjects: Set<Subject>): Map<Subject, Subject> =>
    new Map([...subjects].map((subject) => [subject, identities.rootOf(subject)]));
  return { folds: rooted(ended), pointers: rooted(moved), refused };
}

/** Whether a link brings two profiles together: a visitor who already belongs to a person stays there. */
export function joins(link: Link, from: Subject, into: Subject): boolean {
  return from !== into && (link.rule === 'always' || link.from === from);
}

/** The rows that carrying out a plan changes: they must be locked before. */
export function rowsOf(plan: FoldPlan): Set<Subject> {
  return new Set([...plan.pointers.keys(), ...plan.folds.values()]);
}
