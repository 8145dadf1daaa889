import type { JsonObject, Subject } from './customer-event';

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

/** Everybody whom an event names: it is erased with each of them. */
export function subjectsNamedIn({ userId, anonymousId, previousId }: JsonObject): Subject[] {
  return [
    ...textsIn(userId, previousId).map(userSubject),
    ...textsIn(anonymousId, previousId).map(anonymousSubject),
  ];
}

function textsIn(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
