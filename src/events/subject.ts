import type { Subject } from './customer-event';

/**
 * Characters of userId, anonymousId, groupId and previousId. An id of 3 bytes a character and a name must fit together
 * into an index entry of PostgreSQL, 2,704 bytes.
 */
export const MAX_ID_LENGTH = 512;

/** The members of an event by which it names people; of a type that has none such they are not asked for. */
interface NamingIds {
  readonly userId?: unknown;
  readonly anonymousId?: unknown;
  readonly previousId?: unknown;
}

/** What is noted under an id of its time, and names people. */
export interface AboutPeople {
  readonly id: string;
  readonly subjects: readonly Subject[];
  /** Those of them whose it is; all of them where nobody can say. */
  readonly owners: readonly Subject[];
}

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
export function subjectsNamedIn({ userId, anonymousId, previousId }: NamingIds): Subject[] {
  return [
    ...textsIn(userId, previousId).map(userSubject),
    ...textsIn(anonymousId, previousId).map(anonymousSubject),
  ];
}

/**
 * Those of everybody whom an event names, in the order of {@link subjectsNamedIn}, whose it is: it is dropped where one
 * of them is suppressed. The anonymous id of a user's event is not: people share browsers. The previousId of an alias
 * is, which is the second user id.
 */
export function ownersAmong(named: readonly Subject[]): Subject[] {
  const [user, ...previous] = named.map(userIdOf).filter((userId) => userId !== undefined);
  if (user === undefined) return [...named];
  return [userSubject(user), ...previous.flatMap((id) => [userSubject(id), anonymousSubject(id)])];
}

function textsIn(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
