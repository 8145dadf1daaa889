import { type CustomerEvent, type Subject } from '../events/customer-event';
import { anonymousSubject } from '../events/subject';
import { type Link, linksOf } from './identity/links';

/** The events of a batch that are about a person, and what they say about identity. */
export interface ProfileBatch {
  readonly events: readonly CustomerEvent[];
  /** Distinct, in order of arrival. */
  readonly links: readonly Link[];
  /** All subjects of events and links. */
  readonly subjects: ReadonlySet<Subject>;
  /** Those of them that an event bears. An alias names its previousId both as a user id and as an anonymous id. */
  readonly used: ReadonlySet<Subject>;
}

/** A group event without ids is about a group alone: it makes no profile. */
export function profileBatch(events: readonly CustomerEvent[]): ProfileBatch {
  const personal = events.filter(({ subject }) => !subject.startsWith('g:'));
  const links = new Map<string, Link>();
  for (const link of personal.flatMap(linksOf)) {
    links.set(JSON.stringify([link.from, link.into, link.rule]), link);
  }
  const used = new Set(personal.flatMap(subjectsOf));
  return {
    events: personal,
    links: [...links.values()],
    subjects: new Set([
      ...personal.map(({ subject }) => subject),
      ...[...links.values()].flatMap(({ from, into }) => [from, into]),
    ]),
    used,
  };
}

function subjectsOf({ subject, anonymousId }: CustomerEvent): Subject[] {
  return anonymousId === undefined ? [subject] : [subject, anonymousSubject(anonymousId)];
}
