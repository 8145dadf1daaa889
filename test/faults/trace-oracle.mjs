// @ts-check
// What the trace of an event must say, decided anew from what was sent, received and stored.
import { memberOf } from './trace-members.mjs';

/**
 * @typedef {import('./trace-traffic.mjs').SentEvent} SentEvent
 * @typedef {import('#dist/inspector/dto/trace.dto').TraceDto} Trace
 * @typedef {Trace['destinations'][number]} Told what a trace tells of a destination
 * @typedef {NonNullable<Told['delivery']>} Delivery
 * @typedef {Awaited<ReturnType<typeof import('./fateful-receiver.mjs').startFatefulReceiver>>} Receiver
 *
 * @typedef {(method: string, path: string, body?: object) => Promise<{ body: any }>} Call
 * @typedef {{ sources: { id: string }[], nobody: { id: string }, regulars: { id: string } }} Given of a run
 * @typedef {{ id: string, destinationId: string, eventId: string, state: string, attempts: number }} DeliveryRow
 *
 * @typedef {object} Stored what the tables say
 * @property {DeliveryRow[]} deliveries
 * @property {Map<string, DeliveryRow[]>} byEvent
 * @property {Map<string, number>} changedAtMs when a person, by subject, entered or left the regulars
 * @property {Map<string, number>} tries of each delivery
 *
 * @typedef {object} Facts
 * @property {Call} call
 * @property {Awaited<ReturnType<typeof makeDestinations>>} destinations
 * @property {Stored} stored
 * @property {Receiver} receiver
 * @property {import('./trace-members.mjs').Users} users
 * @property {import('./trace-members.mjs').People} people
 * @property {{ least: number }} regulars
 *
 * @typedef {Facts & { member: ReturnType<typeof memberOf> }} FactsOfMember
 */

/**
 * The destinations of a run: how each is made, and the parts of it that say no to an event.
 * @type {Record<string, {
 *   url?: string, copies?: number, isMended?: boolean, isPaused?: boolean,
 *   members?: (given: Given) => object,
 *   no?: (event: SentEvent, given: Given) => string[],
 * }>}
 */
const DESTINATIONS = {
  Everything: {},
  // Everything that it was sent is sent to it again.
  Orders: {
    copies: 2,
    members: () => ({ filter: { types: ['track'], events: ['Order *'] } }),
    no: ({ type, name }) => [
      ...(type === 'track' ? [] : ['types']),
      ...(name?.startsWith('Order ') ? [] : ['events']),
    ],
  },
  // Comes back in the end, and gets what was given up.
  Large: {
    isMended: true,
    members: () => ({ filter: { conditions: [{ field: 'properties.total', operator: 'gte', value: 50 }] } }),
    no: ({ total = 0 }) => (total >= 50 ? [] : ['conditions']),
  },
  App: {
    members: ({ sources: [, app] }) => ({ sources: [app.id] }),
    no: ({ sourceId }, { sources: [, app] }) => (sourceId === app.id ? [] : ['sources']),
  },
  Nobody: {
    members: ({ nobody }) => ({ filter: { segments: [nobody.id] } }),
    no: () => ['segments'],
  },
  Regulars: { members: ({ regulars }) => ({ filter: { segments: [regulars.id] } }) },
  Paused: { isPaused: true },
  // Nobody listens there.
  Away: {
    url: 'http://127.0.0.1:9/',
    members: () => ({ filter: { events: ['Rare'] } }),
    no: ({ name }) => (name === 'Rare' ? [] : ['events']),
  },
};

/**
 * The end of a delivery that is not put off.
 * @typedef {{ outcome: string, reason?: string, status: number | null, tries?: number }} End
 * @type {Record<import('./fateful-receiver.mjs').Fate, End>}
 */
const ENDS = {
  fine: { outcome: 'delivered', status: 200 },
  flaky: { outcome: 'delivered', status: 200 },
  fail: { outcome: 'dead', reason: 'http_5xx', status: 500, tries: 3 },
  refuse: { outcome: 'dead', reason: 'http_4xx', status: 422, tries: 3 },
  hang: { outcome: 'dead', reason: 'timeout', status: null, tries: 3 },
};
/**
 * Where what was given up is sent again, with success.
 * @type {End}
 */
const MENDED = { outcome: 'delivered', status: 200, tries: 4 };
const AWAY_WAITS_FOR = new Set(['destination_down', 'next_try', null]);

/**
 * Makes all of them; `stuck` are those whose deliveries do not all come to an end.
 * @param {Call} call
 * @param {{ url: string, sources: { id: string }[], regulars: { id: string } }} run
 */
export async function makeDestinations(call, { url, sources, regulars }) {
  const rules = [{ field: 'event_count', operator: 'gte', value: 1_000_000 }];
  const nobody = (await call('POST', '/segments', { name: 'Nobody', rules })).body;
  const given = { sources, nobody, regulars };
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const [name, { url: other = url, members, isPaused }] of Object.entries(DESTINATIONS)) {
    const body = { name, type: 'webhook', config: { url: other + name }, ...members?.(given) };
    const { id } = (await call('POST', '/destinations', body)).body;
    if (isPaused) await call('POST', `/destinations/${id}/pause`);
    ids.set(name, id);
  }
  return { given, ids, stuck: [ids.get('Paused'), ids.get('Away')] };
}

/**
 * What is wrong with the traces of a messageId.
 * @param {SentEvent} event
 * @param {Trace[]} traces
 * @param {Facts} facts
 */
export function problemsOf(event, traces, facts) {
  if (traces.length !== 1) return [`${traces.length} traces`];
  const [trace] = traces;
  return event.flaw === undefined ? ofAccepted(event, trace, facts) : ofRejected(event.flaw, trace);
}

/**
 * @param {import('./trace-traffic.mjs').Flaw} flaw
 * @param {Trace} trace
 */
function ofRejected([code], trace) {
  return [
    ...differs('outcome', trace.outcome, 'rejected'),
    ...differs('code', trace.rejected?.problems[0]?.code, code),
    ...differs('destinations', trace.destinations.length, 0),
  ];
}

/**
 * @param {SentEvent} event
 * @param {Trace} trace
 * @param {Facts} given
 */
function ofAccepted(event, trace, given) {
  if (trace.event === null) return ['no event was stored'];
  const facts = { ...given, member: memberOf(event, trace.event.receivedAt, given) };
  const context = /** @type {{ fate: string, again?: true }} */ (trace.event.payload.context);
  const rows = facts.stored.byEvent.get(trace.event.id) ?? [];
  const deliveries = trace.destinations.flatMap(({ delivery }) => delivery ?? []);
  return [
    ...differs('outcome', trace.outcome, 'accepted'),
    ...differs('processing', trace.processing, event.isPoisoned ? 'failed' : 'processed'),
    ...differs('failure', trace.failedBecause !== null, event.isPoisoned ?? false),
    ...differs('segments', segmentsOf(trace), facts.member.changes),
    ...differs('fate of the first one', context.fate, event.fate),
    ...differs('sent again', context.again, undefined),
    ...differs('profile', trace.profile, profileOf(event, facts.users)),
    ...differs('deliveries', idsOf(deliveries), idsOf(rows)),
    ...[...facts.destinations.ids].flatMap(([name, id]) =>
      atDestination(
        event,
        name,
        trace.destinations.filter(({ destinationId }) => destinationId === id),
        facts,
      ).map((problem) => `${name}: ${problem}`),
    ),
    ...differs(
      'destinations',
      new Set(trace.destinations.map(({ destinationId }) => destinationId)).size,
      facts.destinations.ids.size,
    ),
  ];
}

/** @param {Trace} trace */
function segmentsOf({ segments }) {
  return segments.map(({ segmentName, change }) => `${change} ${segmentName}`);
}

/**
 * @param {SentEvent} event
 * @param {Facts['users']} users
 */
function profileOf({ userId, anonymousId, isPoisoned }, users) {
  if (isPoisoned) return null;
  if (userId !== undefined) return { userId, anonymousId: null, merged: false };
  const user = users.get(anonymousId);
  return user === undefined
    ? { userId: null, anonymousId, merged: false }
    : { userId: user, anonymousId: null, merged: true };
}

/**
 * @param {SentEvent} event
 * @param {string} name
 * @param {Told[]} told
 * @param {FactsOfMember} facts
 */
function atDestination(event, name, told, facts) {
  const no = partsThatSayNo(event, name, told, facts);
  if (no.length > 0) {
    if (told.length !== 1) return [`told ${told.length} times`];
    const [{ outcome, because }] = told;
    const parts = because.map(({ part }) => part);
    return [...differs('outcome', outcome, 'not_routed'), ...differs('because', parts, no)];
  }
  // What was not processed was not routed then: only the replay brings it.
  const copies = event.isPoisoned ? 1 : (DESTINATIONS[name].copies ?? 1);
  return [
    ...differs('times told', told.length, copies),
    ...told.flatMap((one) => ofDelivery(event, name, one, facts)),
  ];
}

/**
 * @param {SentEvent} event
 * @param {string} name
 * @param {Told[]} told
 * @param {FactsOfMember} facts
 */
function partsThatSayNo(event, name, [first], { destinations, member }) {
  const { no, copies = 1 } = DESTINATIONS[name];
  const parts = no?.(event, destinations.given) ?? [];
  if (event.isPoisoned && (copies === 1 || parts.length > 0)) return ['not_processed'];
  if (name !== 'Regulars') return parts;
  // Whether it was routed depends on what was processed just before: both is right, and must fit the rest.
  if (first?.delivery && member.wasMember) return [];
  return member.isMember && member.isOlder ? ['changed_since'] : ['segments'];
}

/**
 * @param {SentEvent} event
 * @param {string} name
 * @param {Told} told
 * @param {Facts} facts
 */
function ofDelivery(event, name, { outcome, delivery, because }, facts) {
  if (delivery === null) return [`${outcome}, because of ${because.map(({ part }) => part).join()}`];
  const row = facts.stored.byEvent.get(delivery.eventId)?.find(({ id }) => id === delivery.id);
  const kept = facts.stored.tries.get(delivery.id) ?? 0;
  const tries = delivery.tries.length;
  // It is asked all the time whether it is back.
  if (name === 'Away') return [...(tries < kept ? [`${tries} of ${kept} tries`] : []), ...ofAway(delivery)];
  return [
    ...differs('because', because, []),
    ...differs('state in the table', outcome, row?.state),
    ...differs('tries in the table', tries, kept),
    ...differs('attempts in the table', delivery.attempts, row?.attempts),
    ...(name === 'Paused'
      ? ofPaused(delivery, facts.receiver)
      : ofSent(event, name, delivery, facts.receiver)),
  ];
}

/**
 * @param {Delivery} delivery
 * @param {Receiver} receiver
 */
function ofPaused({ id, state, waitsFor, tries }, { statuses }) {
  const found = [state, waitsFor, tries.length, statuses.has(id)];
  return differs('wait', found, ['pending', 'destination_paused', 0, false]);
}

/** @param {Delivery} delivery */
function ofAway({ state, waitsFor, reason }) {
  if (state === 'dead') return differs('reason', reason, 'connect_failed');
  return [
    ...differs('state', state, 'pending'),
    ...(AWAY_WAITS_FOR.has(waitsFor) ? [] : [`waits for ${waitsFor}`]),
  ];
}

/**
 * A try whose worker was killed is on record nowhere but at the receiver.
 * @param {SentEvent} event
 * @param {string} name
 * @param {Delivery} delivery
 * @param {Receiver} receiver
 */
function ofSent({ fate, messageId }, name, delivery, receiver) {
  const end = DESTINATIONS[name].isMended && ENDS[fate].outcome === 'dead' ? MENDED : ENDS[fate];
  const received = receiver.statuses.get(delivery.id) ?? [];
  const last = delivery.tries.at(-1);
  return [
    ...differs('end', delivery.state, end.outcome),
    ...differs('reason', delivery.reason, end.reason ?? null),
    ...differs('last status', last?.status, end.status),
    ...(end.tries === undefined ? [] : differs('tries', delivery.tries.length, end.tries)),
    ...differs('message that was received', receiver.messages.get(delivery.id), messageId),
    ...(received.includes(end.status ?? undefined) ? [] : [`the receiver answered ${received.join()}`]),
    ...(end.outcome === 'dead' && received.includes(200) ? ['the receiver took it'] : []),
    ...(received.length < delivery.tries.length ? [`only ${received.length} tries were received`] : []),
  ];
}

/** @param {{ id: string }[]} rows */
function idsOf(rows) {
  return rows.map(({ id }) => id).toSorted();
}

/**
 * @param {string} what
 * @param {unknown} found
 * @param {unknown} expected
 */
function differs(what, found, expected) {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  return one === other ? [] : [`${what} is ${one} instead of ${other}`];
}
