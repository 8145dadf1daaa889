import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import type { PersonalEvents } from '../personal-events';
import type { Identities } from './identities';
import type { Link } from './links';
import { type FoldPlan, joins, planFolds } from './plan-folds';
import { readFamilies } from './read-identities';

/** Who is who among the people that events are about, and what the links of the events do to them. */
export interface PeoplePlan {
  readonly folds: FoldPlan;
  /** Subjects without a row, or with one that this transaction made. */
  readonly isNew: (subject: Subject) => boolean;
  /** The profile of a subject, once the folds are done. */
  readonly rootOf: (subject: Subject) => Subject;
  /** The rows that the plan reads or changes: it stays true as long as these are locked. */
  readonly rows: ReadonlySet<Subject>;
}

/**
 * Plans by where the subjects of the events are looked up.
 * @param identities of all of them; of those that this transaction has made, nothing
 */
export async function planPeople(
  personal: PersonalEvents,
  identities: Identities,
  maxIds: number,
  tx: Tx,
): Promise<PeoplePlan> {
  const isNew = (subject: Subject): boolean => personal.subjects.has(subject) && !identities.has(subject);
  const links = openLinks(personal.links, identities);
  const families = await readFamilies(
    links.flatMap(({ from, into }) => [from, into]),
    tx,
    isNew,
  );
  const folds = planFolds(links, families, maxIds);
  const rows = new Set<Subject>();
  for (const subject of personal.deltas.keys()) rows.add(identities.rootOf(subject));
  for (const [subject, root] of folds.pointers) rows.add(subject).add(root);
  for (const subject of personal.used) if (identities.isOnlyAliased(subject)) rows.add(subject);
  return {
    folds,
    isNew,
    rootOf: (subject) => {
      const root = identities.rootOf(subject);
      return folds.pointers.get(root) ?? root;
    },
    rows,
  };
}

/** The links that are not true yet. */
function openLinks(links: readonly Link[], identities: Identities): Link[] {
  return links.filter((link) => joins(link, identities.rootOf(link.from), identities.rootOf(link.into)));
}
