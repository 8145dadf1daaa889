// @ts-check
// Who is in the segment of a run, decided anew from what was sent; when they entered or left it, from the table.

/**
 * @typedef {import('./trace-traffic.mjs').SentEvent} SentEvent
 * @typedef {Map<string | undefined, string>} Users whom the visitors became
 * @typedef {Map<string, { events: number, quits: boolean }>} People
 */

/** Of a run: about half of its people get there. */
const EVENTS_OF_A_REGULAR = 1 / 800;

/**
 * The segment of those with so many events, who have not quit.
 * @param {number} totalEvents
 */
export function regularsOf(totalEvents) {
  const least = Math.max(2, Math.round(totalEvents * EVENTS_OF_A_REGULAR));
  const rules = [
    { field: 'event_count', operator: 'gte', value: least },
    { field: 'quit', operator: 'not_exists' },
  ];
  return { least, segment: { name: 'Regulars', rules } };
}

/**
 * By subject: how many events a person has, and whether the last of them is that he quits.
 * @param {{ sent: SentEvent[], users: Users }} traffic
 */
export function peopleOf({ sent, users }) {
  /** @type {People} */
  const people = new Map();
  for (const event of sent) {
    if (event.flaw !== undefined || event.isPoisoned) continue;
    const subject = subjectOf(event, users);
    const { events = 0, quits = false } = people.get(subject) ?? {};
    people.set(subject, { events: events + 1, quits: quits || (event.quits ?? false) });
  }
  return people;
}

/**
 * Of whom an event is: whether he was, and is, a regular; whether it is older than that; and what its trace must tell.
 * @param {SentEvent} event
 * @param {string} receivedAt
 * @param {{ users: Users, people: People, stored: { changedAtMs: Map<string, number> }, regulars: { least: number } }} facts
 */
export function memberOf(event, receivedAt, { users, people, stored, regulars }) {
  const subject = subjectOf(event, users);
  const { events = 0, quits = false } = people.get(subject) ?? {};
  const wasMember = !event.isPoisoned && events - (quits ? 1 : 0) >= regulars.least;
  if (!wasMember) return { wasMember, isMember: false, isOlder: false, changes: [] };
  const isMember = !quits;
  const changedAtMs = stored.changedAtMs.get(subject);
  if (changedAtMs === undefined)
    return { wasMember, isMember, isOlder: false, changes: ['what is in no table'] };
  const isOlder = Date.parse(receivedAt) <= changedAtMs;
  const change = quits ? 'left' : 'entered';
  return {
    wasMember,
    isMember,
    isOlder,
    changes: isOlder ? [`${change} Regulars`] : [],
  };
}

/**
 * @param {Pick<SentEvent, 'userId' | 'anonymousId'>} event
 * @param {Users} users
 */
function subjectOf({ userId, anonymousId }, users) {
  const user = userId ?? users.get(anonymousId);
  return user === undefined ? `a:${anonymousId}` : `u:${user}`;
}
