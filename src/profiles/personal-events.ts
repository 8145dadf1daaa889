import type { CustomerEvent, Subject } from '../events/customer-event';
import { anonymousSubject } from '../events/subject';
import { type Link, linksOf } from './identity/links';
import { addEvent, emptyDelta, type ProfileDelta } from './state/profile-delta';

/** The events of one transaction that are about a person, and what they say. */
export interface PersonalEvents {
  readonly events: readonly CustomerEvent[];
  /** What the events of each subject add to the profile that the subject belongs to. */
  readonly deltas: ReadonlyMap<Subject, ProfileDelta>;
  /** In order of arrival. */
  readonly links: readonly Link[];
  /** All subjects of events and links. */
  readonly subjects: ReadonlySet<Subject>;
  /** Those of them that an event bears. An alias names its previousId both as a user id and as an anonymous id. */
  readonly used: ReadonlySet<Subject>;
}

/** A group event without ids is about a group alone: it makes no profile. */
export function personalEvents(events: readonly CustomerEvent[]): PersonalEvents {
  const personal = events.filter(({ subject }) => !subject.startsWith('g:'));
  const deltas = deltasOf(personal);
  const links = personal.flatMap(linksOf);
  const subjects = new Set(deltas.keys());
  for (const { from, into } of links) subjects.add(from).add(into);
  return { events: personal, deltas, links, subjects, used: subjectsOf(personal) };
}

function deltasOf(events: readonly CustomerEvent[]): Map<Subject, ProfileDelta> {
  const deltas = new Map<Subject, ProfileDelta>();
  for (const event of events) {
    let delta = deltas.get(event.subject);
    if (delta === undefined) deltas.set(event.subject, (delta = emptyDelta()));
    addEvent(delta, event);
  }
  return deltas;
}

function subjectsOf(events: readonly CustomerEvent[]): Set<Subject> {
  const subjects = new Set<Subject>();
  for (const { subject, anonymousId } of events) {
    subjects.add(subject);
    if (anonymousId !== undefined) subjects.add(anonymousSubject(anonymousId));
  }
  return subjects;
}
