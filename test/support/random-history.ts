import * as fc from 'fast-check';
import type { CustomerEvent, JsonValue } from '../../src/events/customer-event';
import { anyEvent } from './any-event';

// Some sort differently by UTF-16 units than by bytes.
const USERS = ['ann', 'bob', '\u{1F600}', '\uFFFD', '{"a,b"}'];
const VISITORS = ['v1', 'v2', 'v3', 'v\u{1F600}', "o'\\b"];
const traitValue: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  null,
  1e300,
  '12',
  { deep: [1] },
  false,
);
const traits = fc.dictionary(fc.constantFrom('plan', 'constructor', 'age'), traitValue, { maxKeys: 3 });
const when = fc.integer({ min: 0, max: 40 });
const user = fc.constantFrom(...USERS);
const visitor = fc.constantFrom(...VISITORS);

type Shape = Record<string, unknown> & { at: number };

/** Who an event is about. */
function ids(honest: boolean): fc.Arbitrary<Record<string, string>> {
  const both = honest
    ? visitor.map((anonymousId) => ({ anonymousId, userId: userOf(anonymousId) }))
    : fc.record({ anonymousId: visitor, userId: user });
  return fc.oneof(
    user.map((userId) => ({ userId })),
    visitor.map((anonymousId) => ({ anonymousId })),
    both,
  );
}

function aliasIds(honest: boolean): fc.Arbitrary<Record<string, string>> {
  const ofVisitor = honest
    ? visitor.map((previousId) => ({ previousId, userId: userOf(previousId) }))
    : fc.record({ previousId: visitor, userId: user });
  return fc.oneof(fc.record({ previousId: user, userId: user }), ofVisitor);
}

/** The one user that an honest history sees a visitor with. */
function userOf(visitorId: string): string {
  return USERS[VISITORS.indexOf(visitorId) % 3] ?? 'ann';
}

function shape(honest: boolean): fc.Arbitrary<Shape> {
  const kind = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('track'), event: fc.constantFrom('Bought', 'toString') }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('identify'), traits }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('page'), context: fc.record({ traits }) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('group'), groupId: fc.constantFrom('g1', 'g2') }) },
  );
  const plain = fc.tuple(kind, ids(honest), when).map(([a, b, at]) => ({ ...a, ...b, at }));
  const alias = fc.tuple(aliasIds(honest), when).map(([a, at]) => ({ type: 'alias', ...a, at }));
  return fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: alias });
}

/**
 * Events of a few users and visitors, in order of arrival. An honest history sees each visitor with one user only,
 * so who is who does not depend on the order; aliases are arbitrary in both, chains and cycles included.
 */
export function randomHistory(honest: boolean, maxLength = 40): fc.Arbitrary<Shape[]> {
  return fc.array(shape(honest), { minLength: 1, maxLength });
}

/** The shapes as accepted events, all ids ending in `marker` so that they are nobody else's. */
export function asEvents(shapes: readonly Shape[], marker: string): CustomerEvent[] {
  return shapes.map(({ at, ...members }, index) => {
    const ids = Object.fromEntries(
      ['userId', 'anonymousId', 'previousId']
        .filter((member) => typeof members[member] === 'string')
        .map((member) => [member, `${members[member] as string}${marker}`]),
    );
    // A few hours apart, so that they lie on several days, and some at the same time.
    const timestamp = new Date(Date.UTC(2026, 10, 1) + at * 3 * 3_600_000).toISOString();
    return anyEvent({ ...members, ...ids, timestamp, messageId: `m${String(index).padStart(3, '0')}` });
  });
}

/** Cuts a list into pieces of the given sizes, over and over. */
export function cut<T>(list: readonly T[], sizes: readonly number[]): T[][] {
  const pieces: T[][] = [];
  for (let start = 0; start < list.length;) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(list.slice(start, start + size));
    start += size;
  }
  return pieces;
}
