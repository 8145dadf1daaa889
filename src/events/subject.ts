import type { Subject } from './customer-event';

/** The subject of a known user. */
export function userSubject(userId: string): Subject {
  return `u:${userId}`;
}

/** The subject of an anonymous visitor. */
export function anonymousSubject(anonymousId: string): Subject {
  return `a:${anonymousId}`;
}

/** The userId of a subject, or undefined when it is not a known user. */
export function userIdOf(subject: Subject): string | undefined {
  return subject.startsWith('u:') ? subject.slice(2) : undefined;
}

/** The subject of an event; see {@link Subject}. */
export function subjectOf(ids: { userId?: string; anonymousId?: string; groupId?: string }): Subject {
  if (ids.userId !== undefined) return userSubject(ids.userId);
  if (ids.anonymousId !== undefined) return anonymousSubject(ids.anonymousId);
  return `g:${ids.groupId ?? ''}`;
}
