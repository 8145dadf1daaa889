import type { CustomerEvent, Subject } from '../../events/customer-event';
import { anonymousSubject, userSubject } from '../../events/subject';

/** A statement of an event that two subjects are the same person. */
export interface Link {
  readonly from: Subject;
  readonly into: Subject;
  /**
   * `first`: `from` is an anonymous visitor and belongs to the first user it is seen with.
   * `always`: an alias said so; `from` is merged whatever it belongs to.
   */
  readonly rule: 'first' | 'always';
}

/** What an event says about identity: an anonymousId beside a userId, and an alias. */
export function linksOf(event: CustomerEvent): Link[] {
  if (event.userId === undefined) return [];
  const into = event.subject;
  const seen = event.anonymousId === undefined ? [] : [firstLink(event.anonymousId, into)];
  if (event.type !== 'alias') return seen;
  // SDKs alias from a visitor's anonymousId as well as from another userId.
  const renamed: Link = { from: userSubject(event.previousId), into, rule: 'always' };
  return [...seen, renamed, firstLink(event.previousId, into)].filter(({ from }) => from !== into);
}

function firstLink(anonymousId: string, into: Subject): Link {
  return { from: anonymousSubject(anonymousId), into, rule: 'first' };
}
