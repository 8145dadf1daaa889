import { anyEvent } from '../../../../test/support/any-event';
import { factsOf } from '../../../../test/support/segment-facts';
import { NOBODY } from '../../../../test/support/documented-rules';
import type { CustomerEvent, JsonObject } from '../../../events/customer-event';
import type { EventTest } from '../event-test';
import { MayCountIndex } from './may-count-index';

const of = (operator: EventTest['where'][number]['operator'], value: string | number): EventTest => ({
  event: 'Paid',
  where: [{ path: ['properties', 'total'], operator, comparand: { kind: 'value', value } }],
});

const { profile: SOMEBODY } = factsOf(NOBODY, 0);

describe('MayCountIndex', () => {
  const index = new MayCountIndex<string>();
  index.add({ event: 'Paid', where: [] }, 'any');
  index.add({ event: 'Paid', type: 'page', where: [] }, 'page');
  index.add({ event: 'Paid', where: [], range: { toMs: Date.UTC(2026, 0, 1) } }, 'long ago');
  index.add({ event: 'identify', where: [] }, 'identify');
  index.add(of('eq', 5), 'five');
  index.add(of('eq', 5), 'five as well');
  index.add(of('gt', 5), 'more than five');
  index.add(of('neq', 5), 'all but five');
  index.add(of('gt', '2026-01-01'), 'later');

  const found = (events: CustomerEvent[], eventCount = 1): string[] =>
    index.find({ events, facts: { ...SOMEBODY, eventCount } });

  it.each<[JsonObject, string[]]>([
    [{ total: 5 }, ['any', 'five', 'five as well', 'more than five', 'all but five', 'later']],
    [{ total: 4 }, ['any', 'all but five', 'later']],
    [{ total: '5' }, ['any', 'all but five', 'later']],
    [{}, ['any', 'all but five', 'later']],
  ])('finds who may count an event with %j', (properties, expected) => {
    expect(found([anyEvent({ event: 'Paid', properties })])).toEqual(expected);
  });

  it('finds each test once, whatever the number of events that may pass it', () => {
    const events = ['Paid', 'Shown', 'Paid'].map((event) => anyEvent({ event, properties: { total: 4 } }));
    expect(found(events)).toEqual(['any', 'all but five', 'later']);
  });

  it('looks at the type, and at the time', () => {
    expect(found([anyEvent({ type: 'identify', userId: 'a' })])).toEqual(['identify']);
    expect(found([anyEvent({ type: 'page', name: 'Paid' })])).toContain('page');
    const late = anyEvent({ event: 'Paid', timestamp: '2025-12-31T23:59:59.999Z' });
    expect(found([late])).toContain('long ago');
    expect(found([{ ...late, timestamp: '2026-01-01T00:00:00.000Z' }])).not.toContain('long ago');
  });

  it('finds all that look at events of the name once others may fall out of the newest 20,000', () => {
    const event = anyEvent({ event: 'Paid', properties: { total: 4 } });
    expect(found([event], 20_000)).not.toContain('five');
    expect(found([event], 20_001)).toEqual(expect.arrayContaining(['five', 'page', 'long ago']));
    expect(found([event], 20_001)).not.toContain('identify');
  });
});
