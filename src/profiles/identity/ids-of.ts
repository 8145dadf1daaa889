import type { Subject } from '../../events/customer-event';
import { anonymousSubject } from '../../events/subject';

/** A subject of a person. */
export interface PersonSubject {
  readonly subject: Subject;
  /** An alias named it, and no event has borne it so far. */
  readonly onlyAliased: boolean;
}

/** The ids of a person, in the order in which the subjects were given. */
export interface PersonIds {
  readonly userIds: string[];
  readonly anonymousIds: string[];
}

/**
 * An alias says of its previousId that it is the same person, not whether it is a user id or an anonymous id, so both
 * are linked. The events tell: it is what they bear it as. As long as none bears it, it is taken for a user id.
 */
export function idsOf(subjects: readonly PersonSubject[]): PersonIds {
  const used = new Set(subjects.filter(({ onlyAliased }) => !onlyAliased).map(({ subject }) => subject));
  const userIds = textsOf(subjects, 'u:').filter(
    (id) => used.has(`u:${id}`) || !used.has(anonymousSubject(id)),
  );
  const anonymousIds = textsOf(subjects, 'a:').filter((id) => used.has(anonymousSubject(id)));
  return { userIds, anonymousIds };
}

function textsOf(subjects: readonly PersonSubject[], prefix: 'u:' | 'a:'): string[] {
  return subjects
    .filter(({ subject }) => subject.startsWith(prefix))
    .map(({ subject }) => subject.slice(prefix.length));
}
