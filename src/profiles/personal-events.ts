import { type CustomerEvent, type Subject } from '../events/customer-event';
import { anonymousSubject } from '../events/subject';
import { type Link, linksOf } from './identity/links';
import { addEvent, emptyDelta, type ProfileDelta } from './state/profile-delta';
import type { ProfileLimits } from './state/profile-limits';

/** The events of one transaction that are about a person, and what they say. */
export interface PersonalEvents {
  readonly events: readonly CustomerEvent[];
  /** What the events of each subject add to the profile that the subject belongs to. */
  readonly deltas: ReadonlyMap<Subject, ProfileDelta>;
  /** Distinct, in order of arrival. */
  readonly links: readonly Link[];
  /** All subjects of events and links. */
  readonly subjects: ReadonlySet<Subject>;
  /** Those of them that an event bears. An alias names its previousId both as a user id and as an anonymous id. */
  readonly used: ReadonlySet<Subject>;
}

/** A group event without ids is about a group alone: it makes no profile. */
export function personalEvents(events: readonly CustomerEvent[], limits: ProfileLimits): PersonalEvents {
  const personal = events.filter(({ subject }) => !subject.startsWith('g:'));
  const links = new Map<string, Link>();
  for (const link of personal.flatMap(linksOf)) {
    links.set(JSON.stringify([link.from, link.into, link.rule]), link);
  }
  const deltas = deltasOf(personal, limits);
  return {
    events: personal,
    deltas,
    links: [...links.values()],
    subjects: new Set([...deltas.keys(), ...[...links.values()].flatMap(({ from, into }) => [from, into])]),
    used: new Set(personal.flatMap(subjectsOf)),
  };
}

function deltasOf(events: readonly CustomerEvent[], limits: ProfileLimits): Map<Subject, ProfileDelta> {
  const deltas = new Map<Subject, ProfileDelta>();
  for (const event of events) {
    const delta = deltas.get(event.subject) ?? emptyDelta();
    addEvent(delta, event, limits);
    deltas.set(event.subject, delta);
  }
  return deltas;
}

function subjectsOf({ subject, anonymousId }: CustomerEvent): Subject[] {
  return anonymousId === undefined ? [subject] : [subject, anonymousSubject(anonymousId)];
}
