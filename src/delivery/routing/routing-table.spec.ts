import { array, assert, constantFrom, option, property, record, string, subarray } from 'fast-check';
import type { CustomerEvent, EventType, JsonValue } from '../../events/customer-event';
import { eventName } from '../../events/customer-event';
import { valueAt } from '../../events/event-path';
import type { Filter, ParsedFilter } from '../../destinations/filter/filter';
import { parseFilter } from '../../destinations/filter/parse-filter';
import { compileOperator } from '../../language/compile-operator';
import { explainRoute } from './explain-route';
import { compileNamePattern } from './name-pattern';
import { type PersonOfEvent, STRANGER } from './person-of-event';
import { type Route, RoutingTable } from './routing-table';

const VIP = '0190a1b2-0000-7000-8000-000000000001';
const NEW = '0190a1b2-0000-7000-8000-000000000002';
const NOBODY = STRANGER;

describe('the routing table', () => {
  it('sends everything to a destination that restricts nothing', () => {
    expect(matches([aRoute('all')], anEvent())).toEqual(['all']);
  });

  it.each<[string, Partial<Route<string>>, string[]]>([
    ['its source', { sources: ['s1'] }, ['d']],
    ['another source', { sources: ['s2'] }, []],
    ['its type', { filter: aFilter({ types: ['track'] }) }, ['d']],
    ['another type', { filter: aFilter({ types: ['page'] }) }, []],
    ['its name', { filter: aFilter({ events: ['Order Completed'] }) }, ['d']],
    ['its name in another case', { filter: aFilter({ events: ['order completed'] }) }, []],
    ['its name and a pattern', { filter: aFilter({ events: ['Order Completed', 'Order *', '*'] }) }, ['d']],
    ['a pattern', { filter: aFilter({ events: ['*Comp*ed'] }) }, ['d']],
    ['another pattern', { filter: aFilter({ events: ['Orders *'] }) }, []],
    ['a condition', { filter: condition('properties.amount', 'gte', 10) }, ['d']],
    ['a condition that fails', { filter: condition('properties.amount', 'gt', 10) }, []],
    ['a condition on what is not there', { filter: condition('properties.nope', 'eq', 1) }, []],
    ['a condition on the context', { filter: condition('context.campaign.name', 'contains', 'sale') }, ['d']],
    ['a condition on an item', { filter: condition('properties.items.0.sku', 'eq', 'a') }, ['d']],
  ])('decides by %s', (_name, route, expected) => {
    expect(matches([aRoute('d', route)], anEvent())).toEqual(expected);
  });

  it('keeps to what callers of SDKs ask of integrations where it is told to', () => {
    const routes = [
      aRoute('heedless'),
      aRoute('heedful', { filter: condition('integrations.Lake', 'neq', false) }),
    ];
    const withIntegrations = (integrations: Record<string, boolean>): CustomerEvent =>
      Object.assign(anEvent(), { integrations });
    expect(matches(routes, withIntegrations({ Lake: false }))).toEqual(['heedless']);
    expect(matches(routes, withIntegrations({ Lake: true }))).toEqual(['heedless', 'heedful']);
    expect(matches(routes, anEvent())).toEqual(['heedless', 'heedful']);
  });

  it('wants all conditions, or any when asked for', () => {
    const conditions = [
      { field: 'properties.amount', operator: 'eq', value: 10 },
      { field: 'properties.currency', operator: 'eq', value: 'EUR' },
    ] as const;
    const routes = [
      aRoute('all', { filter: aFilter({ conditions }) }),
      aRoute('any', { filter: aFilter({ conditions, match: 'any' }) }),
    ];
    expect(matches(routes, anEvent())).toEqual(['any']);
  });

  it('knows who is in a segment, and which segments it has to know of', () => {
    const table = new RoutingTable([
      aRoute('vip', { filter: aFilter({ segments: [VIP] }) }),
      aRoute('vip-or-new', { filter: aFilter({ segments: [VIP, NEW] }) }),
    ]);
    expect(table.segmentIds).toEqual(new Set([VIP, NEW]));
    expect(table.match(anEvent(), NOBODY, 0)).toEqual([]);
    expect(table.match(anEvent(), aMember(NEW), 0)).toEqual(['vip-or-new']);
    expect(table.match(anEvent(), aMember(VIP), 0)).toEqual(['vip', 'vip-or-new']);
  });

  it('answers the same as holding every event against every filter', () => {
    const filters = record(
      {
        types: option(subarray<EventType>(['track', 'page', 'identify'], { minLength: 1 }), {
          nil: undefined,
        }),
        events: option(
          array(constantFrom('a', 'ab', 'a*', '*b', '*', 'a*b', 'c', 'ab*', '*b*', 'a*b*b', '*a', 'a*b*'), {
            minLength: 1,
          }),
          {
            nil: undefined,
          },
        ),
        match: constantFrom('all' as const, 'any' as const),
        conditions: array(
          record({
            field: constantFrom('properties.x', 'properties.y', 'name', 'computed.paid', 'computed.none'),
            operator: constantFrom('eq' as const, 'neq' as const, 'contains' as const),
            value: constantFrom(1, 'a', true),
          }),
          { maxLength: 3 },
        ),
        segments: option(subarray([VIP, NEW], { minLength: 1 }), { nil: undefined }),
      },
      { requiredKeys: ['match', 'conditions'] },
    );
    const routes = array(
      record({
        sources: option(subarray(['s1', 's2'], { minLength: 1 }), { nil: undefined }),
        filter: filters,
      }),
      { maxLength: 12 },
    );
    const events = array(
      record({
        type: constantFrom<EventType>('track', 'page', 'identify'),
        sourceId: constantFrom('s1', 's2', 's3'),
        event: constantFrom('a', 'ab', 'abb', 'c', ''),
        name: constantFrom('a', 'ab', 'b'),
        properties: record({ x: constantFrom(1, 'a', null), y: option(string(), { nil: undefined }) }),
      }),
    );
    assert(
      property(
        routes,
        events,
        subarray([VIP, NEW]),
        constantFrom<JsonValue>(1, 'a'),
        (randomRoutes, randomEvents, memberOf, paid) => {
          const compiled = randomRoutes.map(({ sources, filter }, index) =>
            aRoute(String(index), { sources, filter: parsed(filter) }),
          );
          const table = new RoutingTable(compiled);
          const person = { segments: new Set(memberOf), computed: { paid } };
          for (const event of randomEvents as unknown as CustomerEvent[]) {
            const expected = compiled.filter((route) => passes(route, event, person));
            expect(table.match(event, person, 0).toSorted()).toEqual(
              expected.map(({ destination }) => destination).toSorted(),
            );
            const unexplained = compiled.filter(
              (route) => explainRoute(route, event, person, 0).length === 0,
            );
            expect(unexplained).toEqual(expected);
          }
        },
      ),
    );
  });
});

describe('a name pattern', () => {
  it.each([
    ['a*', 'a', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*b*', 'abc', true],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'axcxb', false],
    ['ab*bc', 'abc', false],
    ['**', '', true],
    ['a.c*', 'abc', false],
    ['(a+)+$*', 'a'.repeat(100_000), false],
    ['*a'.repeat(500), `${'a'.repeat(100_000)}b`, false],
    [`${'*a'.repeat(500)}*`, `${'a'.repeat(100_000)}b`, true],
  ])('%.10s and %.10s: %s', (pattern, name, expected) => {
    expect(compileNamePattern(pattern)(name)).toBe(expected);
  });
});

/** The meaning of a route, told in the slowest way. */
function passes(
  { sources, filter }: Route<string>,
  event: CustomerEvent,
  { segments, computed }: PersonOfEvent,
): boolean {
  if (sources !== undefined && !sources.includes(event.sourceId)) return false;
  if (filter === undefined) return true;
  const { types, events, conditions, match } = filter;
  if (types !== undefined && !types.includes(event.type)) return false;
  const isNamed = (name: string): boolean =>
    new RegExp(`^${name.replaceAll('*', '.*')}$`, 's').test(eventName(event));
  if (events !== undefined && !events.some(isNamed)) return false;
  if (filter.segments !== undefined && !filter.segments.some((id) => segments.has(id))) return false;
  const verdicts = conditions.map(({ path, operator, comparand }) =>
    compileOperator(operator, comparand)(valueAt({ ...event, computed }, path), 0),
  );
  return verdicts.length === 0 || (match === 'all' ? verdicts.every(Boolean) : verdicts.some(Boolean));
}

function aMember(...segmentIds: readonly string[]): PersonOfEvent {
  return { ...STRANGER, segments: new Set(segmentIds) };
}

function matches(routes: readonly Route<string>[], event: CustomerEvent): string[] {
  return new RoutingTable(routes).match(event, NOBODY, 0);
}

function aRoute(destination: string, route: Partial<Route<string>> = {}): Route<string> {
  return { destination, sources: undefined, filter: undefined, ...route };
}

function condition(
  field: string,
  operator: 'eq' | 'neq' | 'gt' | 'gte' | 'contains',
  value: string | number | boolean,
): ParsedFilter {
  return aFilter({ conditions: [{ field, operator, value }] });
}

function aFilter(filter: Filter): ParsedFilter {
  return parsed(filter);
}

function parsed(filter: object): ParsedFilter {
  // As it comes over HTTP: members that are undefined are not there.
  const result = parseFilter(JSON.parse(JSON.stringify(filter)));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.filter;
}

function anEvent(): CustomerEvent {
  return {
    id: '0190a1b2-0000-7000-8000-00000000000a',
    sourceId: 's1',
    subject: 'u:u1',
    messageId: 'm1',
    type: 'track',
    event: 'Order Completed',
    timestamp: '2026-11-20T16:00:00.000Z',
    receivedAt: '2026-11-20T16:00:00.000Z',
    properties: { amount: 10, items: [{ sku: 'a' }] },
    context: { campaign: { name: 'winter sale' } },
  };
}
