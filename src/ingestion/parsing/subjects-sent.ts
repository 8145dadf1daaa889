import type { Subject } from '../../events/customer-event';
import { anonymousSubject, MAX_ID_LENGTH, ownersAmong, userSubject } from '../../events/subject';
import { cleanText } from './clean-json';
import { type Fields, idText, isNobody } from './field-values';

/**
 * Whom something names that did not become an event: ids are read as those of events are, so that a person's are found
 * by them. What is longer than an id may be is cut: an index holds it then, whatever its characters.
 */
export function subjectsSent({ userId, anonymousId, previousId }: Fields): Subject[] {
  return [
    ...idsIn(userId, previousId).map(userSubject),
    ...idsIn(anonymousId, previousId).map(anonymousSubject),
  ];
}

/** Whose it would be: all's whom it names, where it has no userId that is anybody's. See `ownersAmong`. */
export function ownersSent(sent: Fields): Subject[] {
  const named = subjectsSent(sent);
  const userId = idText(sent.userId);
  return typeof userId === 'string' && !isNobody(userId) ? ownersAmong(named) : named;
}

function idsIn(...sent: readonly unknown[]): string[] {
  return sent
    .map(idText)
    .filter((id) => typeof id === 'string')
    .map((id) => cleanText(id.slice(0, MAX_ID_LENGTH)));
}
