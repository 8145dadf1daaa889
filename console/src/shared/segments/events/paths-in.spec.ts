import { parseEventPath, valueAt } from '../../../../../src/events/event-path';
import { pathsIn } from './paths-in';

describe('the paths that are suggested', () => {
  it('lead to what is in events, what they are about first', () => {
    const event = {
      context: { ip: '1.1.1.1' },
      properties: { total: 5, items: [{ id: 1 }], plan: { name: 'pro' }, nothing: null },
    };
    expect(pathsIn([event, { properties: { total: 6, coupon: 'x' } }])).toEqual([
      'properties.coupon',
      'properties.items',
      'properties.nothing',
      'properties.plan.name',
      'properties.total',
      'context.ip',
    ]);
  });

  it('are read by the service as they are meant, whatever the names of members', () => {
    const event = { 'a.b': { 'c\\': { 'd\\.e': 1 } } };
    const [path] = pathsIn([event]);
    expect(valueAt(event, parseEventPath(path) ?? [])).toBe(1);
  });
});
